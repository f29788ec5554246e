import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { type Call, call, testShop } from '../../../../test/harness/index.ts';

export const SECRET = 'a-secret-of-the-shop-1234';
export const WOO = { app_slug: 'woocommerce', settings: { webhook_secret: SECRET } };

/** A shop with two branches that installs apps. There are no background workers: received payloads stay pending. */
export async function startAppShop() {
  const { service, shop, ask } = await testShop({ DUKKAN_ROLES: 'api' });
  for (const iv_id of ['BR-1', 'BR-2']) expect((await ask('POST /branches', { body: { iv_id } })).status).toBe(201);

  async function install(settings: object = {}, options: Call = {}) {
    const reply = await ask('POST /apps', {
      body: { ...WOO, settings: { ...WOO.settings, ...settings } },
      ...options,
    });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  }

  async function found(id: string) {
    const { body } = await ask('GET /apps');
    return body.data.find((row: { id: string }) => row.id === id);
  }

  const change = (id: string, body: object, options: Call = {}) => ask(`PATCH /apps/${id}`, { body, ...options });

  async function auditOf(id: string) {
    const { body } = await ask('GET /audit?resource=Apps&limit=100');
    const rows = body.data.filter((row: { resource_id: string }) => row.resource_id === id);
    return rows
      .map(({ action, changed_fields }: { action: string; changed_fields: string[] }) => [action, ...changed_fields])
      .toReversed();
  }

  /** A vendor's call, signed like WooCommerce's. */
  async function send(id: string, body: string, secret = SECRET): Promise<number> {
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-wc-webhook-signature': signature };
    return (await call(service.baseUrl, `POST /ingest/${id}`, { raw: body, headers })).status;
  }

  return { service, shop, ask, install, found, change, auditOf, send };
}
