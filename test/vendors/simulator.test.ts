import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppSettings, Credentials, VendorAnswer, VendorCall } from '../../src/channels/contract.ts';
import { woocommerce } from '../../src/channels/woocommerce/index.ts';
import { createVendorCaller } from '../../src/modules/apps/vendor-client.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readerOf } from '../../src/platform/inbound/index.ts';
import { createSender, parseNetworks, type Sender } from '../../src/platform/outbound/index.ts';
import { startVendors, VENDOR_SLUGS, type VendorSimulator, type VendorSlug } from './simulator.ts';
import { digits } from './vendor.ts';

let vendors: VendorSimulator;
let sender: Sender;

beforeAll(async () => {
  vendors = await startVendors();
  sender = createSender({
    allowedNetworks: parseNetworks(vendors.settings.WEBHOOK_ALLOWED_NETWORKS),
    extraCa: vendors.caPem,
    maxSocketsPerTarget: 8,
    now: () => new Date(),
  });
});

afterEach(() => {
  vendors.clearFaults();
  vendors.forgetCalls();
});

afterAll(async () => {
  await sender.close();
  await vendors.close();
});

const EVERY_KEY = {
  authorization: 'Bearer a',
  'x-api-key': 'a',
  'x-app-id': 'a',
  'x-manager-token': 'a',
  'x-shopify-access-token': 'a',
  'x-amz-access-token': 'a',
};
const withKeys = (): Credentials => ({ kind: 'headers', headers: EVERY_KEY });

/** The service's own vendor client. */
function clientOf(slug: VendorSlug, credentials: (settings: AppSettings) => Credentials = withKeys) {
  const caller = createVendorCaller({ sender, clock: systemClock(), deadlineMs: 5000 });
  const settings = { api_base_url: vendors.baseUrlOf(slug), client_id: 'me', client_secret: 'secret' };
  return caller.clientFor({ id: slug, organizationId: 'o', settings, secretOrigins: null }, { app: {}, credentials });
}

const call = (slug: VendorSlug, method: VendorCall['method'], path: string, json?: unknown): Promise<VendorAnswer> =>
  clientOf(slug).call({ method, path, ...(json === undefined ? {} : { json }) });

describe('the vendors', () => {
  it('refuse calls without credentials, each in its own format', async () => {
    for (const slug of VENDOR_SLUGS) {
      const anonymous = clientOf(slug, () => ({ kind: 'headers', headers: {} }));
      await expect(anonymous.call({ method: 'GET', path: '/nothing' }), slug).rejects.toMatchObject({
        vendorStatus: 401,
      });
      await expect(call(slug, 'GET', '/nothing'), slug).rejects.toMatchObject({
        vendorStatus: 404,
        message: expect.stringContaining('No such call: GET /nothing'),
      });
    }
  });

  it.each([
    ['shopify', 'POST', '/admin/api/2025-01/orders/7/cancel.json', {}, { cancelled_at: expect.any(String) }],
    ['woocommerce', 'PUT', '/wp-json/wc/v3/orders/7', { status: 'completed' }, { status: 'completed' }],
    ['salla', 'POST', '/admin/v2/orders/7/status', { slug: 'delivered' }, { status: { slug: 'delivered' } }],
    [
      'zid',
      'POST',
      '/v1/managers/store/orders/7/change-order-status',
      { order_status: 'ready' },
      { order_status: { code: 'ready' } },
    ],
    ['magento2', 'POST', '/V1/order/7/ship', {}, { state: 'complete' }],
    ['hungerstation', 'PUT', '/v2/chains/c/orders/7', { status: 'DISPATCHED' }, { status: 'DISPATCHED' }],
    ['talabat', 'POST', '/v2/order/status/7', { status: 'order_accepted' }, { posStatus: 'order_accepted' }],
    ['jahez', 'POST', '/webhooks/status_update', { jahezOrderId: 7, status: 'A' }, { status: 'A' }],
    ['deliverect', 'POST', '/orderStatus/7', { orderId: '7', status: 70 }, { status: 70 }],
    ['ubereats', 'POST', '/v1/eats/orders/7/accept_pos_order', { reason: 'ok' }, { current_state: 'ACCEPTED' }],
    [
      'square',
      'PUT',
      '/v2/orders/7',
      { order: { version: 1, fulfillments: [{ uid: 'f', state: 'PREPARED' }] } },
      { version: 2, fulfillments: [{ uid: 'f', state: 'PREPARED' }] },
    ],
    ['foodics', 'PUT', '/v5/orders/7', { delivery_status: 5 }, { delivery_status: 5 }],
    ['amazon-sp', 'POST', '/orders/v0/orders/7/shipmentConfirmation', {}, { OrderStatus: 'Shipped' }],
  ] as const)('%s carries out a call', async (slug, method, path, body, becomes) => {
    const order = { version: 1, fulfillments: [{ uid: 'f', state: 'PROPOSED' }] };
    vendors.shop(slug).orders.set('7', order);
    expect((await call(slug, method, path, body)).status).toBeLessThan(300);
    expect(order).toMatchObject(becomes);
    expect(vendors.calls(slug)).toMatchObject([{ method, path, fields: body }]);
  });

  it('serve a channel with digits intact', async () => {
    const order = { id: digits('9007199254740993'), status: 'processing' };
    vendors.shop('woocommerce').orders.set('9007199254740993', order);
    const client = clientOf('woocommerce', woocommerce.credentials);
    expect(await woocommerce.fetchOrder?.('9007199254740993', client, {})).toMatchObject({ id: '9007199254740993' });
  });

  it('list what changed', async () => {
    const { orders } = vendors.shop('magento2');
    orders.clear();
    for (const day of [3, 1, 2]) orders.set(String(day), { entity_id: day, updated_at: `2026-11-0${day} 10:00:00` });
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const query = {
      [`${filter}[field]`]: 'updated_at',
      [`${filter}[value]`]: '2026-11-02 00:00:00',
      [`${filter}[condition_type]`]: 'gteq',
      'searchCriteria[pageSize]': '1',
      'searchCriteria[currentPage]': '2',
    };
    expect(await clientOf('magento2').call({ method: 'GET', path: '/V1/orders', query })).toMatchObject({
      json: { items: [{ entity_id: 3 }], total_count: 2 },
    });
    const amazon = vendors.shop('amazon-sp').orders;
    amazon.clear();
    for (const day of [1, 2])
      amazon.set(`A${day}`, { AmazonOrderId: `A${day}`, LastUpdateDate: `2026-11-0${day}T00:00:00Z` });
    const page = (more: Record<string, string>) =>
      clientOf('amazon-sp').call({
        method: 'GET',
        path: '/orders/v0/orders',
        query: { MaxResultsPerPage: '1', ...more },
      });
    expect(await page({})).toMatchObject({ json: { payload: { Orders: [{ AmazonOrderId: 'A1' }], NextToken: '1' } } });
    expect(await page({ NextToken: '1' })).toMatchObject({ json: { payload: { Orders: [{ AmazonOrderId: 'A2' }] } } });
  });

  it.each([
    ['hungerstation', '/v2/oauth/token', 'client_secret', '/v2/chains/c/orders/7'],
    ['ubereats', '/oauth/v2/token', 'client_secret', '/v2/eats/order/7'],
    ['amazon-sp', '/auth/o2/token', 'client_secret', '/orders/v0/orders/7'],
  ] as const)('%s gives out tokens, and takes them back', async (slug, path, secret, order) => {
    vendors.shop(slug).orders.set('7', { id: 7 });
    const client = clientOf(slug, () => ({
      kind: 'token',
      request: { method: 'POST', path, form: { [secret]: 's' } },
      read: ({ json }) => {
        const token = readerOf(json).at('access_token').findText() ?? '';
        return { headers: { authorization: `Bearer ${token}`, 'x-amz-access-token': token }, livesForSeconds: 3600 };
      },
    }));
    await client.call({ method: 'GET', path: order });
    await client.call({ method: 'GET', path: order });
    vendors.shop(slug).tokens.clear();
    await client.call({ method: 'GET', path: order });
    expect(vendors.calls(slug).map((one) => one.path)).toEqual([path, order, order, order, path, order]);
  });

  it('take payments through all their stages', async () => {
    const payment = { amount: '50.00', currency: 'SAR', order: { reference_id: 'o1' } };
    const tabby = readerOf((await call('tabby-pos-paylinks', 'POST', '/api/v2/checkout', { payment })).json);
    const id = tabby.at('payment', 'id').getId();
    const capture = (amount: string, reference_id: string) =>
      call('tabby-pos-paylinks', 'POST', `/api/v2/payments/${id}/captures`, { amount, reference_id });
    await expect(capture('50.00', 'c1')).rejects.toMatchObject({ message: 'Payment is not authorized' });
    vendors.agree('tabby-pos-paylinks', id);
    await capture('20.00', 'c1');
    await capture('20.00', 'c1');
    expect(await capture('30.00', 'c2')).toMatchObject({ json: { status: 'CLOSED', captures: [{}, {}] } });

    const total_amount = { amount: 50, currency: 'SAR' };
    const tamara = readerOf((await call('tamara-pos-paylinks', 'POST', '/checkout', { total_amount })).json);
    const order_id = tamara.at('order_id').getId();
    vendors.agree('tamara-pos-paylinks', order_id);
    await call('tamara-pos-paylinks', 'POST', `/orders/${order_id}/authorise`);
    await call('tamara-pos-paylinks', 'POST', '/payments/capture', { order_id, total_amount });
    expect(await call('tamara-pos-paylinks', 'GET', `/merchants/orders/${order_id}`)).toMatchObject({
      json: { status: 'fully_captured', captured_amount: total_amount },
    });
  });

  it('seal a token where it comes sealed', async () => {
    const open = (sealed: Buffer) => {
      const key = pbkdf2Sync('secret', sealed.subarray(0, 16), 40_000, 32, 'sha256');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(16, 28)).setAuthTag(sealed.subarray(-16));
      return JSON.parse(`${decipher.update(sealed.subarray(28, -16), undefined, 'utf8')}${decipher.final('utf8')}`)
        .token;
    };
    const client = clientOf('mispay-pos-paylinks', () => ({
      kind: 'token',
      request: { method: 'GET', path: '/token', headers: { 'x-app-id': 'me', 'x-app-secret': 'secret' } },
      read: ({ json }) => {
        const token = open(Buffer.from(readerOf(json).at('result', 'token').findText() ?? '', 'base64'));
        return { headers: { 'x-app-id': 'me', authorization: `Bearer ${token}` }, livesForSeconds: 300 };
      },
    }));
    expect(await client.call({ method: 'POST', path: '/start-checkout', json: { orderId: 'o1' } })).toMatchObject({
      json: { status: 'success', result: { trackId: expect.any(String) } },
    });
  });

  it.each([
    ['moyasar-sync', 'GET', '/v1/payments/p1', undefined, { id: 'p1' }],
    ['hyperpay-sync', 'GET', '/v1/query/p1', undefined, { id: 'p1' }],
    ['paytabs-sync', 'POST', '/payment/query', { tran_ref: 'p1' }, { id: 'p1' }],
    ['tap-sync', 'GET', '/v2/charges/p1', undefined, { id: 'p1' }],
    ['myfatoorah-sync', 'POST', '/v2/getPaymentStatus', { Key: 'p1', KeyType: 'InvoiceId' }, { Data: { id: 'p1' } }],
    ['geidea-sync', 'GET', '/pgw/api/v1/direct/order/p1', undefined, { order: { id: 'p1' } }],
  ] as const)('%s returns the state of a payment', async (slug, method, path, body, json) => {
    vendors.shop(slug).payments.set('p1', { id: 'p1' });
    expect(await call(slug, method, path, body)).toMatchObject({ status: 200, json });
  });
});

describe('a vendor with a fault', () => {
  const push = () => call('salla', 'POST', '/admin/v2/orders/7/status', { slug: 'delivered' });

  it.each([
    ['refuse', { vendorStatus: 422, message: 'Made to fail' }, undefined],
    ['fail', { message: 'status 503', mayHaveArrived: true }, undefined],
    ['cut', { message: 'connection closed', mayHaveArrived: true }, undefined],
    ['lose', { message: 'connection closed', mayHaveArrived: true }, { slug: 'delivered' }],
  ] as const)('%s', async (kind, error, status) => {
    const order: Record<string, unknown> = {};
    vendors.shop('salla').orders.set('7', order);
    vendors.addFault({ vendor: 'salla', path: /status$/, kind, times: 1 });
    await expect(push()).rejects.toMatchObject(error);
    expect(order.status).toEqual(status);
    expect(await push()).toMatchObject({ status: 201 });
    expect(vendors.calls('salla')).toHaveLength(2);
  });

  it('hangs until the fault is removed', async () => {
    vendors.shop('salla').orders.set('7', {});
    const end = vendors.addFault({ kind: 'hang' });
    const caller = createVendorCaller({ sender, clock: systemClock(), deadlineMs: 3_000 });
    const settings = { api_base_url: vendors.baseUrlOf('salla') };
    const install = { id: 'i', organizationId: 'o', settings, secretOrigins: null };
    const client = caller.clientFor(install, { app: {}, credentials: withKeys });
    await expect(client.call({ method: 'POST', path: '/admin/v2/orders/7/status', json: {} })).rejects.toMatchObject({
      message: 'timeout',
      mayHaveArrived: true,
    });
    end();
    expect(await push()).toMatchObject({ status: 201 });
  });
});
