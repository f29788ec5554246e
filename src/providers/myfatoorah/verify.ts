import { type InboundCall, isSignedBy, parseExactJson, type Reader, readerOf } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  const body = findBody(call);
  const signed = body && (isSecondVersion(body) ? findSignedOfSecond(body) : findSignedOfFirst(body));
  if (signed === undefined) return false;
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [signed],
    given: call.headers['myfatoorah-signature'],
    encoding: 'base64',
  });
}

export function findDeliveryId(call: InboundCall): string | undefined {
  const { value } = findBody(call)?.at('Event', 'Reference') ?? {};
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined;
}

/** `Event` is an object in version 2 and a string in version 1. A header says so too, but is not signed. */
export function isSecondVersion(body: Reader): boolean {
  return typeof body.at('Event').value === 'object' && body.at('Event').isThere();
}

function findBody(call: InboundCall): Reader | undefined {
  try {
    return readerOf(parseExactJson(call.body));
  } catch {
    return undefined;
  }
}

/** All fields of `Data`, sorted case-insensitively. */
function findSignedOfFirst(body: Reader): string | undefined {
  const data = body.at('Data').value;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const isRefund = textOf(body.at('EventType').value) === '2';
  return Object.entries(data)
    .filter(([name]) => !(isRefund && name === 'GatewayReference'))
    .map(([name, value]): [string, string] => [name.toLowerCase(), `${name}=${textOf(value)}`])
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, pair]) => pair)
    .join(',');
}

/** Some fields of each event, in the documented order. */
const SIGNED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  1: ['Invoice.Id', 'Invoice.Status', 'Transaction.Status', 'Transaction.PaymentId', 'Invoice.ExternalIdentifier'],
  2: ['Refund.Id', 'Refund.Status', 'Amount.ValueInBaseCurrency', 'ReferencedInvoice.Id'],
  3: ['Deposit.Reference', 'Deposit.ValueInBaseCurrency', 'Deposit.NumberOfTransactions'],
  4: ['Supplier.Code', 'KycDecision.Status'],
  5: ['Recurring.Id', 'Recurring.Status', 'Recurring.InitialInvoiceId'],
};

function findSignedOfSecond(body: Reader): string | undefined {
  const code = textOf(body.at('Event', 'Code').value);
  const fields = Object.hasOwn(SIGNED_FIELDS, code) ? SIGNED_FIELDS[code] : undefined;
  const data = body.at('Data');
  return fields?.map((name) => `${name}=${textOf(data.at(...name.split('.')).value)}`).join(',');
}

function textOf(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : String(value);
}
