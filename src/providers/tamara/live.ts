import { type Reader, readerOf } from '../../platform/inbound/index.ts';
import {
  add,
  compare,
  type Decimal,
  multiply,
  roundToCurrency,
  subtract,
  toNumber,
  ZERO,
} from '../../platform/money.ts';
import {
  type CancelRequest,
  type CaptureRequest,
  type CreatedPaylink,
  getCurrency,
  getMapped,
  type PaylinkDriver,
  type PaylinkRequest,
  type ProviderPayment,
  statusByAmounts,
  toWholeItems,
  understood,
  type VendorClient,
  VendorRefused,
  VendorUnavailable,
} from '../contract.ts';

export const live: PaylinkDriver = { createPaylink, readPayment, capture, cancel };

const moneyOf = (amount: Decimal, currency: string) => ({
  amount: toNumber(roundToCurrency(amount, currency)),
  currency,
});
const orderPath = (id: string) => `/orders/${encodeURIComponent(id)}`;

const COUNTRIES: Readonly<Record<string, string>> = { AED: 'AE', KWD: 'KW', BHD: 'BH', QAR: 'QA', OMR: 'OM' };

async function createPaylink(request: PaylinkRequest, client: VendorClient): Promise<CreatedPaylink> {
  const { ownId, amount, currency, customer, returnUrl, notifyUrl, language = 'ar' } = request;
  const [first = '', ...others] = (customer?.name ?? '').trim().split(/\s+/);
  const nothing = moneyOf(ZERO, currency);
  const country_code = COUNTRIES[currency] ?? 'SA';
  const person = { first_name: first, last_name: others.join(' ') || first, phone_number: customer?.phone };
  const answer = await client.call({
    method: 'POST',
    path: '/checkout',
    json: {
      order_reference_id: ownId,
      total_amount: moneyOf(amount, currency),
      shipping_amount: nothing,
      tax_amount: nothing,
      items: toWholeItems(request).map(({ sku, name, quantity, unitPrice }) => ({
        reference_id: sku,
        sku,
        name,
        type: 'Physical',
        quantity,
        unit_price: moneyOf(unitPrice, currency),
        total_amount: moneyOf(multiply(unitPrice, { units: BigInt(quantity), scale: 0 }), currency),
      })),
      consumer: { ...person, email: customer?.email },
      shipping_address: { ...person, country_code },
      country_code,
      description: ownId,
      merchant_url: { success: returnUrl, failure: returnUrl, cancel: returnUrl, notification: notifyUrl },
      payment_type: 'PAY_BY_INSTALMENTS',
      platform: 'Dukkan',
      is_mobile: false,
      locale: language === 'en' ? 'en_US' : 'ar_SA',
    },
  });
  return understood(() => {
    const session = readerOf(answer.json);
    const url = session.at('checkout_url').findText() ?? '';
    if (!/^https?:\/\//i.test(url)) throw new VendorRefused(answer.status, 'Tamara gave no page for this payment');
    return {
      providerReference: session.at('order_id').getId(),
      sessionReference: session.at('checkout_id').findId(),
      url,
    };
  });
}

/** The spelling varies: authorised and authorized, canceled and cancelled. */
const STATUSES = {
  new: 'created',
  approved: 'approved',
  authorised: 'agreed',
  authorized: 'agreed',
  partiallycaptured: 'agreed',
  fullycaptured: 'agreed',
  // A part was cancelled, the rest continues.
  updated: 'agreed',
  partiallyrefunded: 'captured',
  fullyrefunded: 'refunded',
  declined: 'failed',
  expired: 'expired',
  canceled: 'cancelled',
  cancelled: 'cancelled',
} as const;

type Word = (typeof STATUSES)[keyof typeof STATUSES];

/**
 * An approved order expires after 72 hours unless the merchant authorises it, which captures nothing: every read-back of an
 * approved order authorises it.
 */
async function readPayment(providerReference: string, client: VendorClient): Promise<ProviderPayment> {
  const payment = await readOrder(providerReference, client);
  if (payment.word !== 'approved') return withStatus(payment);
  try {
    const path = `${orderPath(providerReference)}/authorise`;
    const answer = await client.call({ method: 'POST', path, isRepeatable: true });
    return withStatus({ ...payment, ...understood(() => toAuthorised(readerOf(answer.json), payment)) });
  } catch (error) {
    if (!(error instanceof VendorRefused)) throw error;
    // A concurrent request has authorised it.
    const again = await readOrder(providerReference, client);
    if (again.word === 'approved') throw error;
    return withStatus(again);
  }
}

type Order = Required<Omit<ProviderPayment, 'status'>> & {
  word: Word;
  amount: Decimal;
  capturedAmount: Decimal;
  refundedAmount: Decimal;
  cancelledAmount: Decimal;
};

async function readOrder(id: string, client: VendorClient): Promise<Order> {
  const { json } = await client.call({ method: 'GET', path: `/merchants/orders/${encodeURIComponent(id)}` });
  return understood(() => {
    const order = readerOf(json);
    return {
      word: getMapped<Word>(STATUSES, order.at('status')),
      amount: order.at('total_amount', 'amount').getDecimal(),
      currency: getCurrency(order.at('total_amount', 'currency')),
      capturedAmount: amountAt(order.at('captured_amount')),
      refundedAmount: amountAt(order.at('refunded_amount')),
      cancelledAmount: amountAt(order.at('canceled_amount')),
    };
  });
}

const amountAt = (money: Reader): Decimal => money.at('amount').findDecimal() ?? ZERO;

/** Some merchants use automatic capture. */
function toAuthorised(answer: Reader, { amount }: Order): Partial<Order> {
  const word = getMapped<Word>(STATUSES, answer.at('status'));
  const isCaptured = answer.at('auto_captured').findFlag() === true;
  return { word, ...(isCaptured ? { capturedAmount: amount } : {}) };
}

function withStatus({ word, ...payment }: Order): ProviderPayment {
  const { amount, capturedAmount, refundedAmount, cancelledAmount } = payment;
  const toCapture = subtract(amount, cancelledAmount);
  const byAmounts = statusByAmounts({ toCapture, captured: capturedAmount, refunded: refundedAmount });
  return { ...payment, status: word === 'agreed' ? byAmounts : word === 'approved' ? 'created' : word };
}

/**
 * Tamara accepts no idempotency key for a capture. The captured amount shows whether it was carried out: read before the call, and
 * again after a lost response.
 */
async function capture(request: CaptureRequest, client: VendorClient): Promise<void> {
  const { providerReference, amount, currency, capturedBefore, now } = request;
  const wanted = add(capturedBefore, amount);
  const isDone = async () =>
    compare((await readPayment(providerReference, client)).capturedAmount ?? ZERO, wanted) >= 0;
  if (await isDone()) return;
  try {
    await client.call({
      method: 'POST',
      path: '/payments/capture',
      json: {
        order_id: providerReference,
        total_amount: moneyOf(amount, currency),
        shipping_info: { shipped_at: now.toISOString(), shipping_company: 'In store' },
      },
    });
  } catch (error) {
    const mayHaveBeenDone =
      error instanceof VendorRefused || (error instanceof VendorUnavailable && error.mayHaveArrived);
    if (!mayHaveBeenDone || !(await isDone())) throw error;
  }
}

/** An order that is not approved cannot be cancelled; its checkout is voided instead. */
async function cancel(request: CancelRequest, client: VendorClient): Promise<boolean> {
  const { providerReference, sessionReference, amount, currency } = request;
  try {
    await client.call({
      method: 'POST',
      path: `${orderPath(providerReference)}/cancel`,
      json: { total_amount: moneyOf(amount, currency) },
    });
  } catch (error) {
    if (!(error instanceof VendorRefused)) throw error;
    if ((await readOrder(providerReference, client)).word === 'cancelled') return true;
    if (sessionReference === undefined) throw error;
    await client.call({
      method: 'POST',
      path: `/checkout/${encodeURIComponent(sessionReference)}/void`,
      query: { order_id: providerReference },
      isRepeatable: true,
    });
  }
  return true;
}
