import { findInstant, parseExactJson, type Reader, readerOf, Unreadable } from '../../platform/inbound/index.ts';
import {
  type AppSettings,
  findReference,
  type GatewayTransaction,
  getAmount,
  getCurrency,
  MissingCredentials,
  type ParsedTransaction,
  type PaymentStatus,
  type ReadContext,
  type StagedCall,
  transactionIn,
  type VendorClient,
} from '../contract.ts';
import { findPayload } from './verify.ts';

/** The patterns by which the vendor sorts its result codes. */
const SUCCEEDED = /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.1[12]0|000\.400\.0[^3]|000\.400\.100)/;
const PENDING = /^(000\.200|800\.400\.5|100\.400\.500)/;

/** What a success of this kind means. */
const PAYMENTS: Readonly<Record<string, PaymentStatus>> = { DB: 'paid', PA: 'pending' };
/** What comes after a payment. One that does not succeed leaves the payment as it was. */
const FOLLOW_UPS: Readonly<Record<string, PaymentStatus>> = {
  CP: 'paid',
  'PA.CP': 'paid',
  RC: 'paid',
  RF: 'refunded',
  RV: 'cancelled',
};

export function readTransaction(call: StagedCall, { settings }: ReadContext): ParsedTransaction {
  const payload = findPayload(call, settings);
  if (payload === undefined) throw new Unreadable('not_decrypted', 'The payload does not open with webhook_secret');
  const message = readerOf(parseExactJson(payload));
  const type = message.at('type').findText()?.toUpperCase().slice(0, 40) ?? 'unknown';
  if (type !== 'PAYMENT') return { kind: 'ignored', event: type };
  const payment = message.at('payload');
  const event = `${type}.${payment.at('paymentType').findText()?.slice(0, 20) ?? ''}`;
  const transaction = findTransaction(payment);
  if (transaction === undefined) return { kind: 'ignored', event };
  return { kind: 'transaction', event, transaction, signed: 'all' };
}

/** Which of the merchant's channels is asked, HyperPay wants to be told each time. */
export async function readBack(
  providerReference: string,
  client: VendorClient,
  { merchant_code }: AppSettings,
): Promise<GatewayTransaction> {
  if (merchant_code === undefined) throw new MissingCredentials('merchant_code');
  const { json } = await client.call({
    method: 'GET',
    path: `/v1/query/${encodeURIComponent(providerReference)}`,
    query: { entityId: merchant_code },
  });
  return transactionIn(() => {
    const answer = readerOf(json);
    const lists = [answer.at('records'), answer.at('payments')];
    return findTransaction(lists.find((list) => list.isThere())?.at(0) ?? answer);
  });
}

function findTransaction(payment: Reader): GatewayTransaction | undefined {
  const type = payment.at('paymentType').findText()?.toUpperCase() ?? '';
  const status = findStatus(type, payment.at('result', 'code').findText() ?? '');
  if (status === undefined) return undefined;
  return {
    providerReference: payment.at('id').getId(),
    merchantReference: findReference(payment.at('merchantTransactionId'), payment.at('merchantInvoiceId')),
    parentReference: Object.hasOwn(FOLLOW_UPS, type) ? payment.at('referencedId').findId() : undefined,
    amount: getAmount(payment.at('amount')),
    currency: getCurrency(payment.at('currency')),
    status,
    occurredAt: findInstant(payment.at('timestamp').findText(), 'UTC'),
  };
}

function findStatus(type: string, code: string): PaymentStatus | undefined {
  const hasSucceeded = SUCCEEDED.test(code);
  if (Object.hasOwn(FOLLOW_UPS, type)) return hasSucceeded ? FOLLOW_UPS[type] : undefined;
  if (!Object.hasOwn(PAYMENTS, type)) return undefined;
  if (PENDING.test(code)) return 'pending';
  return hasSucceeded ? PAYMENTS[type] : 'failed';
}
