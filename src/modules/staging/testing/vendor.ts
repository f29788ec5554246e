import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { call, type ReplyBody, type TestOrganization, type TestService } from '../../../../test/harness/index.ts';
import { exactJson } from '../../../channels/testing/calls.ts';

export const SECRET = 'a-secret-of-the-shop';
/** A worker that shares its core with others. */
export const POLL_OPTIONS = { interval: 25 };

export type Sending = {
  installId: string;
  body?: string | Buffer | undefined;
  method?: string;
  /** Behind the install's address. */
  path?: string;
  headers?: Record<string, string>;
  secret?: string;
  baseUrl?: string;
};

/** An order as WooCommerce sends it. */
export const wooOrder = (more: object = {}) => ({
  id: 1,
  number: '1042',
  status: 'processing',
  currency: 'SAR',
  date_created_gmt: '2026-11-15T09:00:00',
  date_modified_gmt: '2026-11-15T09:05:00',
  total: '46.00',
  total_tax: '6.00',
  discount_total: '0.00',
  shipping_total: '0.00',
  payment_method: 'stripe',
  line_items: [{ id: 1, product_id: 7, variation_id: 0, quantity: 2, subtotal: '40.00', sku: 'HON-1', name: 'عسل' }],
  billing: { first_name: 'Sara', last_name: 'Al-Otaibi', phone: '+966500000000', city: 'Riyadh' },
  ...more,
});

/** The signature of these bytes. */
export const sign = (body: string | Buffer, secret: string) => ({
  'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
});

/** Plays WooCommerce, which signs the bytes it sends; another vendor would need `sign` and `wooOrder` of its own. */
export function vendorOf(service: TestService, shop: TestOrganization) {
  const { token } = shop.owner;
  const ask = (target: string, options = {}) => call<ReplyBody>(service.baseUrl, target, { token, ...options });

  async function install(settings: object = {}): Promise<string> {
    const body = { app_slug: 'woocommerce', settings: { webhook_secret: SECRET, ...settings } };
    const reply = await ask('POST /apps', { body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data.id;
  }

  /** As it is: signed, and without a word about what it holds. */
  function send({ installId, body, method = 'POST', path = '', headers = {}, secret = SECRET, baseUrl }: Sending) {
    return call<ReplyBody>(baseUrl ?? service.baseUrl, `${method} /ingest/${installId}${path}`, {
      ...(body === undefined ? {} : { raw: body }),
      headers: { ...sign(body ?? '', secret), ...headers },
    });
  }

  /** An order, with the id that it was stored under. */
  async function sendOrder(installId: string, order: object, more: Record<string, string> = {}): Promise<string> {
    const headers = { 'content-type': 'application/json', 'x-wc-webhook-topic': 'order.updated', ...more };
    const reply = await send({ installId, body: exactJson(order), headers });
    expect(reply.status, reply.text).toBe(202);
    return reply.body.data.staging_id;
  }

  const staged = async (id: string) => (await ask(`GET /staging/${id}`)).body;

  async function settled(id: string) {
    await expect.poll(async () => (await staged(id)).status, POLL_OPTIONS).not.toBe('pending');
    return staged(id);
  }

  const orderOf = async (id: string) => (await ask(`GET /orders/${id}?format=canonical`)).body.order;

  return { ask, install, send, sendOrder, staged, settled, orderOf };
}
