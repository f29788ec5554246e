import { findInstant, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { compare, type Decimal, roundToCurrency, sum, toText, ZERO } from '../../platform/money.ts';
import {
  type AppSettings,
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
} from '../contract.ts';

export const live: PaylinkDriver = { createPaylink, readPayment, capture, cancel };

/** Two decimals for dirhams and riyals, three for dinars. */
const moneyText = (amount: Decimal, currency: string) => toText(roundToCurrency(amount, currency));
const paymentPath = (id: string) => `/api/v2/payments/${encodeURIComponent(id)}`;

async function createPaylink(
  request: PaylinkRequest,
  client: VendorClient,
  { merchant_code }: AppSettings,
): Promise<CreatedPaylink> {
  const { ownId, amount, currency, customer, returnUrl, language = 'ar' } = request;
  const answer = await client.call({
    method: 'POST',
    path: '/api/v2/checkout',
    json: {
      payment: {
        amount: moneyText(amount, currency),
        currency,
        buyer: { name: customer?.name, phone: customer?.phone, email: customer?.email },
        order: {
          reference_id: ownId,
          items: toWholeItems(request).map(({ sku, name, quantity, unitPrice }) => ({
            reference_id: sku,
            title: name,
            quantity,
            unit_price: moneyText(unitPrice, currency),
          })),
        },
        meta: { order_id: ownId },
      },
      lang: language,
      merchant_code,
      merchant_urls: { success: returnUrl, cancel: returnUrl, failure: returnUrl },
    },
  });
  return understood(() => {
    const session = readerOf(answer.json);
    const status = session.at('status').findText()?.toLowerCase();
    if (status === 'rejected' || status === 'expired')
      throw new VendorRefused(answer.status, `Tabby does not offer this payment: ${rejectionOf(session)}`);
    return {
      // The session has its own id, which only cancelling needs.
      providerReference: session.at('payment', 'id').getId(),
      sessionReference: session.at('id').findId(),
      url: getPageUrl(session),
      expiresAt: findInstant(session.at('payment', 'expires_at').findText(), 'UTC'),
    };
  });
}

function rejectionOf(session: Reader): string {
  const products = session.at('configuration', 'products', 'installments');
  const reason = products.at('rejection_reason').findText() ?? session.at('rejection_reason_code').findText();
  return reason ?? 'rejected';
}

function getPageUrl(session: Reader): string {
  const products = session.at('configuration', 'available_products');
  const first = products.at('installments', 0, 'web_url').findText();
  const url =
    first ??
    products
      .entries()
      .map(([, offers]) => offers.at(0, 'web_url').findText())
      .find(Boolean);
  if (url === undefined || !/^https?:\/\//i.test(url))
    throw new VendorRefused(200, 'Tabby offers no product for this payment');
  return url;
}

const STATUSES = {
  created: 'created',
  authorized: 'agreed',
  closed: 'closed',
  rejected: 'failed',
  expired: 'expired',
} as const;

async function readPayment(providerReference: string, client: VendorClient): Promise<ProviderPayment> {
  const { json } = await client.call({ method: 'GET', path: paymentPath(providerReference) });
  return understood(() => toPayment(readerOf(json)));
}

function toPayment(payment: Reader): ProviderPayment {
  const word = getMapped(STATUSES, payment.at('status'));
  const amount = payment.at('amount').getDecimal();
  const captured = sumOf(payment.at('captures'));
  const refunded = sumOf(payment.at('refunds'));
  return {
    status: statusOf(),
    amount,
    currency: getCurrency(payment.at('currency')),
    capturedAmount: captured,
    refundedAmount: refunded,
  };

  function statusOf() {
    // A capture does not close a payment at once: Tabby reports AUTHORIZED for a while.
    if (word === 'agreed') return statusByAmounts({ toCapture: amount, captured, refunded });
    if (word === 'closed')
      return captured.units === 0n ? 'cancelled' : statusByAmounts({ toCapture: captured, captured, refunded });
    if (word === 'created' && payment.at('is_expired').findFlag() === true) return 'expired';
    return word;
  }
}

function sumOf(list: Reader): Decimal {
  return sum(list.list().map((one) => one.at('amount').findDecimal() ?? ZERO));
}

async function capture(request: CaptureRequest, client: VendorClient): Promise<void> {
  const { providerReference, amount, currency, referenceId } = request;
  const path = paymentPath(providerReference);
  try {
    await client.call({
      method: 'POST',
      path: `${path}/captures`,
      json: { amount: moneyText(amount, currency), reference_id: referenceId },
      isRepeatable: true,
    });
  } catch (error) {
    if (!(error instanceof VendorRefused)) throw error;
    // Refused because it is done: a fully captured payment is closed and refuses repeats.
    const { json } = await client.call({ method: 'GET', path });
    const isDone = understood(() =>
      readerOf(json)
        .at('captures')
        .list()
        .some((one) => one.at('reference_id').findText() === referenceId && isSameAmount(one.at('amount'), amount)),
    );
    if (!isDone) throw error;
  }
}

function isSameAmount(given: Reader, amount: Decimal): boolean {
  return compare(given.findDecimal() ?? ZERO, amount) === 0;
}

/** A payment that is not authorised cannot be closed; its session is cancelled instead. */
async function cancel(request: CancelRequest, client: VendorClient): Promise<boolean> {
  const { providerReference, sessionReference } = request;
  try {
    await client.call({
      method: 'POST',
      path: `${paymentPath(providerReference)}/close`,
      json: {},
      isRepeatable: true,
    });
  } catch (error) {
    if (!(error instanceof VendorRefused) || sessionReference === undefined) throw error;
    const path = `/api/v2/checkout/${encodeURIComponent(sessionReference)}/cancel`;
    await client.call({ method: 'POST', path, json: {}, isRepeatable: true });
  }
  return true;
}
