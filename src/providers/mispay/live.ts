import { type Reader, readerOf } from '../../platform/inbound/index.ts';
import { roundToCurrency, toNumber } from '../../platform/money.ts';
import {
  type CancelRequest,
  type CaptureRequest,
  type CreatedPaylink,
  getMapped,
  type PaylinkDriver,
  type PaylinkRequest,
  type ProviderPayment,
  understood,
  type VendorAnswer,
  type VendorClient,
  VendorRefused,
} from '../contract.ts';

export const live: PaylinkDriver = { createPaylink, readPayment, capture, cancel };

async function createPaylink(request: PaylinkRequest, client: VendorClient): Promise<CreatedPaylink> {
  const { ownId, amount, currency, language = 'ar' } = request;
  if (currency !== 'SAR') throw new VendorRefused(422, 'MISPay takes Saudi riyals alone');
  const answer = await client.call({
    method: 'POST',
    path: '/start-checkout',
    json: {
      version: 'v1.1',
      orderId: ownId,
      purchaseAmount: toNumber(roundToCurrency(amount, currency)),
      purchaseCurrency: currency,
      lang: language,
    },
  });
  return understood(() => {
    const result = getResult(answer);
    const url = result.at('url').findText() ?? '';
    if (!/^https?:\/\//i.test(url)) throw new VendorRefused(answer.status, 'MISPay gave no page for this payment');
    return { providerReference: result.at('trackId').getId(), url };
  });
}

/** Refusals have status 200 and an error in the body. */
function getResult(answer: VendorAnswer): Reader {
  const body = readerOf(answer.json);
  if (body.at('status').findText()?.toLowerCase() !== 'success')
    throw new VendorRefused(answer.status, body.at('message').findText() ?? 'MISPay did not do it');
  return body.at('result');
}

/** `success` is also the status after the checkout was ended, which is the capture here. */
const STATUSES = {
  pending: 'created',
  inprogress: 'created',
  success: 'authorized',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  error: 'failed',
} as const;

async function track(providerReference: string, client: VendorClient) {
  const path = `/track-checkout/${encodeURIComponent(providerReference)}`;
  const answer = await client.call({ method: 'GET', path });
  return understood(() => {
    const result = getResult(answer);
    return { result, status: getMapped(STATUSES, result.at('status')) };
  });
}

async function readPayment(providerReference: string, client: VendorClient): Promise<ProviderPayment> {
  const { result, status } = await track(providerReference, client);
  return understood(() => ({
    status,
    amount: (result.at('purchaseAmount').isThere() ? result.at('purchaseAmount') : result.at('amount')).findDecimal(),
    currency: 'SAR',
    capturedAmount: undefined,
    refundedAmount: undefined,
  }));
}

/**
 * A checkout can be ended once: a repeat is refused and captures nothing. The payment is captured if tracking says so, as in
 * MISPay's own plugins.
 */
async function capture({ providerReference }: CaptureRequest, client: VendorClient): Promise<void> {
  const { result, status } = await track(providerReference, client);
  if (status !== 'authorized') throw new VendorRefused(409, `MISPay has this payment as ${status}`);
  const checkoutId = understood(() => result.at('checkoutId').findId()) ?? providerReference;
  try {
    const answer = await client.call({ method: 'PUT', path: `/checkout/${encodeURIComponent(checkoutId)}/end` });
    understood(() => getResult(answer));
  } catch (error) {
    if (!(error instanceof VendorRefused)) throw error;
    if ((await track(providerReference, client)).status !== 'authorized') throw error;
  }
}

/** There is no call to cancel a page: it expires by itself. A payment can only be refunded. */
async function cancel({ providerReference }: CancelRequest, client: VendorClient): Promise<boolean> {
  const { status } = await track(providerReference, client);
  if (status === 'authorized') throw new VendorRefused(409, 'MISPay can only refund what was paid');
  return status === 'cancelled' || status === 'failed';
}
