import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { getPayment, newToken, ok, Refused, type RouteHandler, type Vendor, type VendorRecord } from './vendor.ts';

const sum = (parts: { amount: string | number }[]) => parts.reduce((total, { amount }) => total + Number(amount), 0);

const tabby: Vendor = {
  carries: ['authorization'],
  refusal: (_status, error) => ({ status: 'error', errorType: 'bad_data', error }),
  routes: {
    'POST /api/v2/checkout': ({ fields }, shop) => {
      const id = shop.newId();
      const session = shop.newId();
      const payment: VendorRecord = { ...fields.payment, id, session, status: 'CREATED', captures: [], refunds: [] };
      shop.payments.set(id, payment);
      const available_products = { installments: [{ web_url: `${shop.baseUrl}/pay/${id}` }] };
      return ok({ id: session, status: 'created', payment, configuration: { available_products } });
    },
    'POST /api/v2/checkout/{}/cancel': (_asked, shop, [session]) => {
      const payment = [...shop.payments.values()].find((one) => one.session === session);
      if (payment === undefined) throw new Refused(404, 'No such session');
      payment.status = 'EXPIRED';
      return ok({ status: 'expired' });
    },
    'GET /api/v2/payments/{}': (_asked, shop, [id]) => ok(getPayment(shop, id)),
    'POST /api/v2/payments/{}/captures': ({ fields }, shop, [id]) => {
      const payment = getPayment(shop, id);
      if (payment.captures.some((one: VendorRecord) => one.reference_id === fields.reference_id)) return ok(payment);
      if (payment.status !== 'AUTHORIZED') throw new Refused(400, 'Payment is not authorized');
      payment.captures.push({ id: shop.newId(), ...fields });
      if (sum(payment.captures) > Number(payment.amount)) {
        payment.captures.pop();
        throw new Refused(400, 'Amount is more than is left');
      }
      if (sum(payment.captures) === Number(payment.amount)) payment.status = 'CLOSED';
      return ok(payment);
    },
    'POST /api/v2/payments/{}/refunds': ({ fields }, shop, [id]) => {
      const payment = getPayment(shop, id);
      if (payment.status !== 'CLOSED') throw new Refused(409, 'Payment is not closed');
      payment.refunds.push({ id: shop.newId(), ...fields });
      return ok(payment);
    },
    'POST /api/v2/payments/{}/close': (_asked, shop, [id]) => {
      const payment = getPayment(shop, id);
      if (payment.status === 'CREATED') throw new Refused(400, 'Payment is not authorized');
      payment.status = 'CLOSED';
      return ok(payment);
    },
  },
};

const amountOf = (payment: VendorRecord, amount: number) => ({ amount, currency: payment.total_amount.currency });

const tamara: Vendor = {
  carries: ['authorization'],
  refusal: (_status, message) => ({ message, errors: [{ error_code: 'invalid_request' }] }),
  routes: {
    'POST /checkout': ({ fields }, shop) => {
      const order_id = shop.newId();
      const checkout_id = shop.newId();
      shop.payments.set(order_id, { ...fields, order_id, checkout_id, status: 'new' });
      return ok({ order_id, checkout_id, checkout_url: `${shop.baseUrl}/pay/${order_id}`, status: 'new' });
    },
    'POST /checkout/{}/void': ({ query }, shop) => {
      const payment = getPayment(shop, query.order_id);
      payment.status = 'canceled';
      return ok({ order_id: payment.order_id, order_status: 'voided' });
    },
    'GET /merchants/orders/{}': (_asked, shop, [id]) => ok(getPayment(shop, id)),
    'GET /merchants/orders/reference-id/{}': (_asked, shop, [reference]) => {
      const payment = [...shop.payments.values()].find((one) => one.order_reference_id === reference);
      if (payment === undefined) throw new Refused(404, 'No such order');
      return ok(payment);
    },
    'POST /orders/{}/authorise': (_asked, shop, [id]) => {
      const payment = getPayment(shop, id);
      if (payment.status !== 'approved') throw new Refused(409, 'Order is not approved');
      payment.status = 'authorised';
      return ok({ order_id: id, status: 'authorised', auto_captured: false });
    },
    'POST /payments/capture': ({ fields }, shop) => {
      const payment = getPayment(shop, fields.order_id);
      const captured = Number(payment.captured_amount?.amount ?? 0) + Number(fields.total_amount.amount);
      const isOpen = payment.status === 'authorised' || payment.status === 'partially_captured';
      if (!isOpen || captured > Number(payment.total_amount.amount)) throw new Refused(409, 'Capture is not allowed');
      payment.captured_amount = amountOf(payment, captured);
      payment.status = captured === Number(payment.total_amount.amount) ? 'fully_captured' : 'partially_captured';
      return ok({ capture_id: shop.newId(), order_id: fields.order_id, status: payment.status });
    },
    'POST /orders/{}/cancel': (_asked, shop, [id]) => {
      const payment = getPayment(shop, id);
      if (payment.status !== 'authorised') throw new Refused(409, 'Order cannot be canceled');
      payment.status = 'canceled';
      payment.canceled_amount = payment.total_amount;
      return ok({ cancel_id: shop.newId(), order_id: id, status: 'canceled' });
    },
    'POST /payments/simplified-refund/{}': ({ fields }, shop, [id]) => {
      const payment = getPayment(shop, id);
      payment.refunded_amount = amountOf(payment, Number(fields.total_amount.amount));
      const isWhole = Number(fields.total_amount.amount) === Number(payment.captured_amount?.amount);
      payment.status = isWhole ? 'fully_refunded' : 'partially_refunded';
      return ok({ refund_id: shop.newId(), order_id: id, status: payment.status });
    },
  },
};

/** Its token comes sealed with the shop's secret: salt, nonce, what is hidden, tag. */
const giveSealedToken: RouteHandler = ({ vendor, headers }, shop) => {
  const secret = headers['x-app-secret'];
  if (typeof secret !== 'string' || !headers['x-app-id']) throw new Refused(401, 'Invalid app');
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', pbkdf2Sync(secret, salt, 40_000, 32, 'sha256'), nonce);
  const hidden = Buffer.concat([cipher.update(JSON.stringify({ token: newToken(vendor, shop) })), cipher.final()]);
  const token = Buffer.concat([salt, nonce, hidden, cipher.getAuthTag()]).toString('base64');
  return ok({ status: 'success', result: { token } });
};

const done = (result: unknown) => ok({ status: 'success', result });

const mispay: Vendor = {
  carries: ['authorization', 'x-app-id'],
  refusal: (_status, message) => ({ status: 'error', message }),
  open: { 'GET /token': giveSealedToken },
  routes: {
    'POST /start-checkout': ({ fields }, shop) => {
      const trackId = shop.newId();
      shop.payments.set(trackId, { ...fields, trackId, checkoutId: trackId, status: 'pending' });
      return done({ trackId, url: `${shop.baseUrl}/pay/${trackId}` });
    },
    'GET /track-checkout/{}': (_asked, shop, [id]) => done(getPayment(shop, id)),
    'PUT /checkout/{}/end': (_asked, shop, [id]) => {
      const payment = getPayment(shop, id);
      if (payment.status !== 'success' || payment.isEnded) throw new Refused(400, 'Checkout cannot be ended');
      payment.isEnded = true;
      return done({});
    },
    'POST /refund': () => done({}),
  },
};

const gateway = (routes: Vendor['routes'], refusal: Vendor['refusal']): Vendor => ({
  carries: ['authorization'],
  refusal,
  routes,
});
const give =
  (wrap: (payment: VendorRecord) => unknown = (payment) => payment): RouteHandler =>
  (_asked, shop, ids) =>
    ok(wrap(getPayment(shop, ids.at(-1))));

const moyasar = gateway(
  {
    'GET /v1/payments': (_asked, shop) => ok({ payments: [...shop.payments.values()], meta: { next_page: null } }),
    'GET /v1/payments/{}': give(),
  },
  (_status, message) => ({ type: 'invalid_request_error', message, errors: null }),
);
const hyperpay = gateway({ 'GET /v1/query/{}': give(), 'GET /v1/payments/{}': give() }, (_status, description) => ({
  result: { code: '200.300.404', description },
}));
const paytabs = gateway(
  { 'POST /payment/query': ({ fields }, shop) => ok(getPayment(shop, fields.tran_ref)) },
  (code, message) => ({ code, message }),
);
const tap = gateway(
  {
    'GET /v2/charges/{}': give(),
    'GET /v2/authorize/{}': give(),
    'GET /v2/refunds/{}': give(),
    'GET /v2/invoices/{}': give(),
  },
  (_status, description) => ({ errors: [{ code: '1143', description }] }),
);
const myfatoorah = gateway(
  {
    'POST /v2/getPaymentStatus': ({ fields }, shop) =>
      ok({ IsSuccess: true, Message: '', Data: getPayment(shop, String(fields.Key)) }),
    'POST /v2/GetRefundStatus': ({ fields }, shop) =>
      ok({ IsSuccess: true, Message: '', Data: { RefundStatusResult: [getPayment(shop, `refund-${fields.Key}`)] } }),
  },
  (_status, Message) => ({ IsSuccess: false, Message, ValidationErrors: [] }),
);
const geidea = gateway(
  { 'GET /pgw/api/v1/direct/order/{}': give((order) => ({ order, responseCode: '000', detailedResponseCode: '000' })) },
  (_status, detailedResponseMessage) => ({ responseCode: '100', detailedResponseMessage }),
);

export const payments = {
  'tabby-pos-paylinks': tabby,
  'tamara-pos-paylinks': tamara,
  'mispay-pos-paylinks': mispay,
  'moyasar-sync': moyasar,
  'hyperpay-sync': hyperpay,
  'paytabs-sync': paytabs,
  'tap-sync': tap,
  'myfatoorah-sync': myfatoorah,
  'geidea-sync': geidea,
};

/** What the customer does on the vendor's page. */
export const AGREED: Readonly<Record<string, string>> = {
  'tabby-pos-paylinks': 'AUTHORIZED',
  'tamara-pos-paylinks': 'approved',
  'mispay-pos-paylinks': 'success',
};
