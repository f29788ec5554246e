import { findUnixInstant, type Reader, readerOf } from '../../platform/inbound/index.ts';
import {
  findReference,
  type GatewayTransaction,
  getAmount,
  getCurrency,
  getMapped,
  type ParsedTransaction,
  type PaymentStatus,
  readerOfCall,
  type StagedCall,
  sentText,
  transactionIn,
  type VendorClient,
} from '../contract.ts';

const PAYMENT: Readonly<Record<string, PaymentStatus>> = {
  initiated: 'pending',
  inprogress: 'pending',
  pending: 'pending',
  authorized: 'pending',
  unknown: 'pending',
  captured: 'paid',
  abandoned: 'cancelled',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  void: 'cancelled',
  voided: 'cancelled',
  failed: 'failed',
  declined: 'failed',
  restricted: 'failed',
  timedout: 'failed',
};

const INVOICE: Readonly<Record<string, PaymentStatus>> = {
  draft: 'pending',
  saved: 'pending',
  created: 'pending',
  pending: 'pending',
  overdue: 'pending',
  paid: 'paid',
  captured: 'paid',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  expired: 'cancelled',
  failed: 'failed',
};

/** The shop's own are `order` and `transaction`. */
const REFERENCES = ['order', 'invoice', 'merchant', 'transaction'];

/** Where each kind is asked for, which the beginning of its id tells. */
const PATHS: readonly (readonly [string, string])[] = [
  ['chg_', '/v2/charges/'],
  ['auth_', '/v2/authorize/'],
  ['re_', '/v2/refunds/'],
  ['inv_', '/v2/invoices/'],
];

/** Neither `object` nor the shop's own references are signed. */
export function readTransaction(call: StagedCall): ParsedTransaction {
  const body = readerOfCall(call);
  const event = `${kindOf(body).slice(0, 40)}.${body.at('status').findText()?.toLowerCase().slice(0, 40) ?? ''}`;
  const transaction = findTransaction(body);
  if (transaction === undefined) return { kind: 'ignored', event };
  return { kind: 'transaction', event, transaction, signed: 'none' };
}

export async function readBack(providerReference: string, client: VendorClient): Promise<GatewayTransaction> {
  const folder = PATHS.find(([beginning]) => providerReference.startsWith(beginning))?.[1] ?? '/v2/charges/';
  const { json } = await client.call({ method: 'GET', path: folder + encodeURIComponent(providerReference) });
  return transactionIn(() => findTransaction(readerOf(json)));
}

const kindOf = (body: Reader) => body.at('object').findText()?.toLowerCase() ?? 'unknown';

function findTransaction(body: Reader): GatewayTransaction | undefined {
  const kind = kindOf(body);
  const status = findStatus(kind, body);
  if (status === undefined) return undefined;
  return {
    providerReference: body.at('id').getId(),
    merchantReference: findReference(...REFERENCES.map((name) => body.at('reference', name))),
    parentReference: kind === 'refund' ? body.at('charge_id').findId() : undefined,
    amount: getAmount(body.at('amount')),
    currency: getCurrency(body.at('currency')),
    status,
    occurredAt: findCreated(body),
  };
}

/** Milliseconds, as a number or as text. Without a time it is still a payment. */
function findCreated(body: Reader): Date | undefined {
  const text = sentText(body.at('transaction', 'created')) || sentText(body.at('created'));
  return /^\d{10,13}$/.test(text) ? findUnixInstant(Number(text)) : undefined;
}

/** A refund that waits or fails leaves the payment as it was. Cards, customers and transfers are not about an order. */
function findStatus(kind: string, body: Reader): PaymentStatus | undefined {
  if (kind === 'charge' || kind === 'authorize') return getMapped(PAYMENT, body.at('status'));
  if (kind === 'invoice') return getMapped(INVOICE, body.at('status'));
  if (kind !== 'refund') return undefined;
  return body.at('status').findText()?.toUpperCase() === 'REFUNDED' ? 'refunded' : undefined;
}
