import { findInstant, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { add, type Decimal } from '../../platform/money.ts';
import {
  findReference,
  type GatewayTransaction,
  getAmount,
  getCurrency,
  getMapped,
  type ParsedTransaction,
  type PaymentStatus,
  type ReadContext,
  readerOfCall,
  type SignedFields,
  type StagedCall,
} from '../contract.ts';
import { isSecondVersion } from './verify.ts';

const STATUSES: Readonly<Record<string, PaymentStatus>> = {
  success: 'paid',
  authorize: 'pending',
  authorized: 'pending',
  pending: 'pending',
  inprogress: 'pending',
  failed: 'failed',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  released: 'cancelled',
};

export function readTransaction(call: StagedCall, context: ReadContext): ParsedTransaction {
  const body = readerOfCall(call);
  const isSecond = isSecondVersion(body);
  const event = (isSecond ? body.at('Event', 'Name') : body.at('Event')).findText()?.slice(0, 60) ?? 'unknown';
  const code = (isSecond ? body.at('Event', 'Code') : body.at('EventType')).findInteger();
  const read = isSecond ? { 1: toPayment, 2: findRefund } : { 1: toPaymentOfFirst, 2: findRefundOfFirst };
  const transaction = code === 1 || code === 2 ? read[code](body, context) : undefined;
  if (transaction === undefined) return { kind: 'ignored', event };
  return { kind: 'transaction', event, transaction, signed: signedFieldsOf(body, { isSecond, code }) };
}

/**
 * The first version signs all of a payment; of its refunds, not the currency. The second signs who paid which invoice and what
 * the shop called it, but not how much.
 */
function signedFieldsOf(
  body: Reader,
  { isSecond, code }: { isSecond: boolean; code: number | undefined },
): SignedFields {
  if (code !== 1) return 'none';
  if (!isSecond) return 'all';
  return findReference(body.at('Data', 'Invoice', 'ExternalIdentifier')) === undefined ? 'none' : 'reference';
}

/** An invoice may be tried several times: once it is paid, a failed attempt says nothing of it. */
function toPayment(body: Reader): GatewayTransaction {
  const data = body.at('Data');
  const money = moneyOf(data.at('Amount'));
  const isPaid = data.at('Invoice', 'Status').findText()?.toUpperCase() === 'PAID';
  return {
    providerReference: data.at('Invoice', 'Id').getId(),
    merchantReference: findReference(
      data.at('Invoice', 'ExternalIdentifier'),
      data.at('Customer', 'Reference'),
      data.at('Invoice', 'UserDefinedField'),
    ),
    ...money,
    status: isPaid ? 'paid' : getMapped(STATUSES, data.at('Transaction', 'Status')),
    fee: findFee(data.at('Amount'), money.currency),
    occurredAt: findInstant(body.at('Event', 'CreationDate').findText(), 'UTC'),
  };
}

/** A refund that was given up leaves the payment as it was. */
function findRefund(body: Reader): GatewayTransaction | undefined {
  const data = body.at('Data');
  if (data.at('Refund', 'Status').findText()?.toUpperCase() !== 'REFUNDED') return undefined;
  return {
    providerReference: data.at('Refund', 'Id').getId(),
    merchantReference: findReference(data.at('ReferencedInvoice', 'ExternalIdentifier')),
    parentReference: data.at('ReferencedInvoice', 'Id').getId(),
    ...moneyOf(data.at('Amount')),
    status: 'refunded',
    occurredAt: findInstant(body.at('Event', 'CreationDate').findText(), 'UTC'),
  };
}

/** What the shop asked for, in the currency it asked in. */
function moneyOf(amount: Reader): { amount: Decimal; currency: string } {
  const kind = amount.at('ValueInDisplayCurrency').isThere() ? 'Display' : 'Base';
  return {
    amount: getSpelledAmount(amount.at(`ValueIn${kind}Currency`)),
    currency: getCurrency(amount.at(`${kind}Currency`)),
  };
}

/** It is given in the portal's own currency. */
function findFee(amount: Reader, currency: string): Decimal | undefined {
  if (!amount.at('ServiceCharge').isThere() || amount.at('BaseCurrency').findText() !== currency) return undefined;
  const charge = getSpelledAmount(amount.at('ServiceCharge'));
  const vat = amount.at('ServiceChargeVAT');
  return vat.isThere() ? add(charge, getSpelledAmount(vat)) : charge;
}

/** Amounts of a thousand and more may come with commas. */
function getSpelledAmount(reader: Reader): Decimal {
  const { value, path } = reader;
  const plain = typeof value === 'string' ? value.replace(/,(?=\d{3}(?:\D|$))/g, '') : value;
  return getAmount(readerOf(plain, path));
}

function toPaymentOfFirst(body: Reader, { timeZone }: ReadContext): GatewayTransaction {
  const data = body.at('Data');
  // The letter is missing in what they send.
  const display = data.at('InvoiceValueInDisplayCurreny');
  const kind = display.isThere() ? 'Display' : 'Base';
  return {
    providerReference: data.at('InvoiceId').getId(),
    merchantReference: findReference(data.at('CustomerReference'), data.at('UserDefinedField')),
    amount: getSpelledAmount(kind === 'Display' ? display : data.at('InvoiceValueInBaseCurrency')),
    currency: getCurrency(data.at(`${kind}Currency`)),
    status: getMapped(STATUSES, data.at('TransactionStatus')),
    occurredAt: findPlainInstant(body.at('DateTime'), timeZone) ?? findPlainInstant(data.at('CreatedDate'), timeZone),
  };
}

/** The currency of the portal's country: a refund of the first version names none but in what is not signed. */
const CURRENCIES: Readonly<Record<string, string>> = {
  KWT: 'KWD',
  SAU: 'SAR',
  ARE: 'AED',
  QAT: 'QAR',
  BHR: 'BHD',
  OMN: 'OMR',
  JOR: 'JOD',
  JOD: 'JOD',
  EGY: 'EGP',
};

function findRefundOfFirst(body: Reader, { timeZone, currency }: ReadContext): GatewayTransaction | undefined {
  const data = body.at('Data');
  if (data.at('RefundStatus').findText()?.toUpperCase() !== 'REFUNDED') return undefined;
  const country = body.at('CountryIsoCode').findText()?.toUpperCase() ?? '';
  return {
    providerReference: data.at('RefundId').getId(),
    merchantReference: undefined,
    parentReference: data.at('InvoiceId').getId(),
    amount: getSpelledAmount(data.at('Amount')),
    currency: (Object.hasOwn(CURRENCIES, country) ? CURRENCIES[country] : undefined) ?? currency,
    status: 'refunded',
    occurredAt: findPlainInstant(body.at('DateTime'), timeZone),
  };
}

/** `ddMMyyyyHHmmss`, a clock on a wall. */
function findPlainInstant(reader: Reader, timeZone: string): Date | undefined {
  const found = /^(\d\d)(\d\d)(\d{4})(\d\d)(\d\d)(\d\d)$/.exec(reader.findText() ?? '');
  if (found === null) return undefined;
  const [, day, month, year, hour, minute, second] = found;
  return findInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}`, timeZone);
}
