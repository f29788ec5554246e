import { findInstant, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { compare, ZERO } from '../../platform/money.ts';
import {
  type AppSettings,
  basic,
  type Credentials,
  findReference,
  type GatewayTransaction,
  getAmount,
  getCurrency,
  type ParsedTransaction,
  type PaymentStatus,
  readerOfCall,
  type StagedCall,
  understood,
  type VendorClient,
} from '../contract.ts';

/** The public key and the password of the interface, which signs callbacks as well. */
export function credentials({ merchant_code, webhook_secret }: AppSettings): Credentials {
  if (merchant_code === undefined) return { kind: 'missing', setting: 'merchant_code' };
  if (webhook_secret === undefined) return { kind: 'missing', setting: 'webhook_secret' };
  return basic(merchant_code, webhook_secret);
}

export function readTransaction(call: StagedCall): ParsedTransaction {
  const body = readerOfCall(call);
  const order = body.at('order');
  if (!order.at('orderId').isThere()) return { kind: 'ignored', event: 'unknown' };
  const event = `order.${order.at('status').findText()?.slice(0, 40) ?? ''}`;
  return { kind: 'transaction', event, transaction: toTransaction(order, findCode(body)), signed: 'none' };
}

export async function readBack(providerReference: string, client: VendorClient): Promise<GatewayTransaction> {
  const path = `/pgw/api/v1/direct/order/${encodeURIComponent(providerReference)}`;
  const { json } = await client.call({ method: 'GET', path });
  return understood(() => {
    const body = readerOf(json);
    const order = body.at('order').isThere() ? body.at('order') : body.at('orders', 0);
    // The code beside it is about the question, not about the payment.
    return toTransaction(order, undefined);
  });
}

const findCode = (body: Reader) => body.at('responseCode').findText();

/** A callback lists every attempt in `transactions`; the order itself says what became of them. */
function toTransaction(order: Reader, code: string | undefined): GatewayTransaction {
  const amount = getAmount(order.at('amount'));
  const refundedAmount = order.at('totalRefundedAmount').findDecimal() ?? ZERO;
  const captured = order.at('totalCapturedAmount').findDecimal() ?? ZERO;
  const status = statusOf(order, code);
  const whole = captured.units > 0n ? captured : amount;
  const isAllRefunded = status === 'paid' && refundedAmount.units > 0n && compare(refundedAmount, whole) >= 0;
  return {
    providerReference: order.at('orderId').getId(),
    merchantReference: findReference(order.at('merchantReferenceId')),
    amount,
    currency: getCurrency(order.at('currency')),
    status: isAllRefunded ? 'refunded' : status,
    refundedAmount,
    occurredAt: findInstant(order.at('createdDate').findText(), 'UTC'),
  };
}

const OF_SUCCESS: Readonly<Record<string, PaymentStatus>> = {
  paid: 'paid',
  captured: 'paid',
  partiallycaptured: 'paid',
  partiallyrefunded: 'paid',
  refunded: 'refunded',
  authorized: 'pending',
  authorised: 'pending',
  voided: 'cancelled',
  cancelled: 'cancelled',
};

/** Whatever is neither under way, given up nor a success with the code of one, has failed. */
function statusOf(order: Reader, code: string | undefined): PaymentStatus {
  const [status, detailed] = ['status', 'detailedStatus'].map((name) => plainWord(order.at(name)));
  if (status === 'inprogress' || status === 'initiated') return 'pending';
  if (status === 'cancelled' || status === 'canceled' || /^cancell?edbyuser/.test(detailed ?? '')) return 'cancelled';
  if (status !== 'success' || (code !== undefined && !/^0+$/.test(code))) return 'failed';
  return (Object.hasOwn(OF_SUCCESS, detailed ?? '') ? OF_SUCCESS[detailed ?? ''] : undefined) ?? 'failed';
}

function plainWord(reader: Reader): string {
  return (reader.findText() ?? '').toLowerCase().replace(/[\s_-]/g, '');
}
