import { findInstant, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { compare, ZERO } from '../../platform/money.ts';
import {
  findReference,
  fromMinor,
  type GatewayTransaction,
  getAmount,
  getCurrency,
  getMapped,
  type ParsedTransaction,
  type PaymentStatus,
  readerOfCall,
  type StagedCall,
  understood,
  type VendorClient,
} from '../contract.ts';

const STATUSES: Readonly<Record<string, PaymentStatus>> = {
  initiated: 'pending',
  authorized: 'pending',
  verified: 'pending',
  paid: 'paid',
  captured: 'paid',
  failed: 'failed',
  voided: 'cancelled',
  // A part of it also counts as refunded there.
  refunded: 'paid',
};

/** Events of invoices, tokens and payouts move no order's money. */
export function readTransaction(call: StagedCall): ParsedTransaction {
  const body = readerOfCall(call);
  const type = body.at('type').findText()?.slice(0, 60);
  const payment = body.at('data').isThere() ? body.at('data') : body;
  const isPayment = type === undefined ? payment.at('source').isThere() : type.startsWith('payment_');
  if (!isPayment) return { kind: 'ignored', event: type ?? 'unknown' };
  return { kind: 'transaction', event: type ?? 'payment', transaction: toTransaction(payment), signed: 'none' };
}

export async function readBack(providerReference: string, client: VendorClient): Promise<GatewayTransaction> {
  const { json } = await client.call({ method: 'GET', path: `/v1/payments/${encodeURIComponent(providerReference)}` });
  return understood(() => toTransaction(readerOf(json)));
}

function toTransaction(payment: Reader): GatewayTransaction {
  const currency = getCurrency(payment.at('currency'));
  const minor = (name: string) => {
    const found = payment.at(name).findDecimal();
    return found && fromMinor(found, currency);
  };
  const amount = fromMinor(getAmount(payment.at('amount')), currency);
  const refundedAmount = minor('refunded') ?? ZERO;
  const status = getMapped(STATUSES, payment.at('status'));
  const isAllRefunded = status === 'paid' && refundedAmount.units > 0n && compare(refundedAmount, amount) >= 0;
  return {
    providerReference: payment.at('id').getId(),
    merchantReference: findMerchantReference(payment),
    amount,
    currency,
    status: isAllRefunded ? 'refunded' : status,
    fee: minor('fee'),
    refundedAmount,
    occurredAt: findInstant(payment.at('created_at').findText(), 'UTC'),
  };
}

/** It has no field for the shop's own number: shops put it into the metadata, some into the description. */
function findMerchantReference(payment: Reader): string | undefined {
  const names = ['order_id', 'order_code', 'order_number', 'order', 'reference', 'reference_id'];
  const metadata = payment.at('metadata');
  return findReference(...names.map((name) => metadata.at(name)), payment.at('description'));
}
