import { findInstant, type Reader, readerOf } from '../../platform/inbound/index.ts';
import {
  type AppSettings,
  type Credentials,
  findReference,
  type GatewayTransaction,
  getAmount,
  getCurrency,
  getMapped,
  type ParsedTransaction,
  type PaymentStatus,
  readerOfCall,
  type StagedCall,
  transactionIn,
  type VendorClient,
} from '../contract.ts';

/** What an authorised (A) transaction of each type means. Without a type it is a sale, as old profiles send it. */
const AUTHORISED: Readonly<Record<string, PaymentStatus>> = {
  sale: 'paid',
  capture: 'paid',
  auth: 'pending',
  refund: 'refunded',
  void: 'cancelled',
  release: 'cancelled',
};
const FOLLOW_UPS = new Set(['capture', 'refund', 'void', 'release']);

const STATUSES = {
  a: 'authorised',
  h: 'pending',
  p: 'pending',
  v: 'cancelled',
  c: 'cancelled',
  x: 'cancelled',
  e: 'failed',
  d: 'failed',
} as const;

type Word = (typeof STATUSES)[keyof typeof STATUSES];

/** The server key is sent as it is. It is the key of webhooks too, so one of the two will do. */
export function credentials({ client_id, client_secret, webhook_secret }: AppSettings): Credentials {
  const key = client_secret ?? webhook_secret;
  if (client_id === undefined) return { kind: 'missing', setting: 'client_id' };
  if (key === undefined) return { kind: 'missing', setting: 'client_secret' };
  return { kind: 'headers', headers: { authorization: key } };
}

export function readTransaction(call: StagedCall): ParsedTransaction {
  const body = readerOfCall(call);
  const type = body.at('tran_type').findText()?.toLowerCase().slice(0, 40);
  const event = type ?? 'transaction';
  const transaction = findTransaction(body);
  if (transaction === undefined) return { kind: 'ignored', event };
  return { kind: 'transaction', event, transaction, signed: 'all' };
}

export async function readBack(
  providerReference: string,
  client: VendorClient,
  { client_id = '' }: AppSettings,
): Promise<GatewayTransaction> {
  const { json } = await client.call({
    method: 'POST',
    path: '/payment/query',
    json: { profile_id: /^\d{1,15}$/.test(client_id) ? Number(client_id) : client_id, tran_ref: providerReference },
    isRepeatable: true,
  });
  return transactionIn(() => findTransaction(readerOf(json)));
}

/** An answer without a result is a page that was made, a registered card has no money in it. */
function findTransaction(body: Reader): GatewayTransaction | undefined {
  const result = body.at('payment_result');
  if (!result.isThere()) return undefined;
  const type = body.at('tran_type').findText()?.toLowerCase() ?? 'sale';
  if (!Object.hasOwn(AUTHORISED, type)) return undefined;
  const word = getMapped<Word>(STATUSES, result.at('response_status'));
  // A refund that was declined leaves the payment as it was.
  if (FOLLOW_UPS.has(type) && word !== 'authorised') return undefined;
  return {
    providerReference: body.at('tran_ref').getId(),
    merchantReference: findReference(body.at('cart_id')),
    parentReference: FOLLOW_UPS.has(type) ? body.at('previous_tran_ref').findId() : undefined,
    ...moneyOf(body, FOLLOW_UPS.has(type)),
    status: word === 'authorised' ? (AUTHORISED[type] ?? 'pending') : word,
    occurredAt: findInstant(result.at('transaction_time').findText(), 'UTC'),
  };
}

/** The cart is what the order came to; of what comes after, a part of it, the transaction's own total counts. */
function moneyOf(body: Reader, isFollowUp: boolean): { amount: GatewayTransaction['amount']; currency: string } {
  const [cart, total] = [body.at('cart_amount'), body.at('tran_total')];
  if (isFollowUp && total.isThere())
    return { amount: getAmount(total), currency: getCurrency(firstOf(body, 'tran_currency', 'cart_currency')) };
  return { amount: getAmount(cart), currency: getCurrency(body.at('cart_currency')) };
}

const firstOf = (body: Reader, name: string, other: string) =>
  body.at(name).isThere() ? body.at(name) : body.at(other);
