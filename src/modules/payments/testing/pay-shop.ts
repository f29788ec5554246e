import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import {
  type Call,
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testDatabase,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { startVendors, type VendorSimulator, type VendorSlug } from '../../../../test/vendors/simulator.ts';

export type PayShop = {
  service: TestService;
  vendors: VendorSimulator;
  shop: TestOrganization;
  ask(target: string, options?: Call): ReturnType<typeof call<ReplyBody>>;
  /** An app whose provider is the simulator. */
  install(slug: VendorSlug, settings?: object): Promise<Installed>;
  /** A direct order of this total. */
  order(total: number, more?: object): Promise<string>;
  orderNow(id: string): Promise<ReplyBody>;
  /** Sends a provider's webhook and returns its staging row once it is processed. */
  deliver(install: Installed, body: unknown, headers?: Record<string, string>): Promise<ReplyBody>;
};
export type Installed = { id: string; ingest_token: string; app_slug: string };

/** A shop with sandbox installs allowed. The database is not empty, so the demo is not loaded into it. */
export async function openPayShop(): Promise<PayShop> {
  const vendors = await startVendors();
  const database = await testDatabase();
  const shop = await testOrganization(database.sql);
  const settings = { ...vendors.settings, DUKKAN_DEMO: 'true', STAGING_RETRY_DELAYS: '0.1' };
  const service = await testService(settings, { database });
  const ask = (target: string, options: Call = {}) =>
    call<ReplyBody>(service.baseUrl, target, { token: shop.owner.token, ...options });
  return {
    service,
    vendors,
    shop,
    ask,
    async install(slug, more = {}) {
      const own = { api_base_url: vendors.baseUrlOf(slug), ...more };
      const reply = await ask('POST /apps', { body: { app_slug: slug, settings: own } });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.data;
    },
    async order(total, more = {}) {
      const line = { product_id: 'P', sku_id: 'P_B', name: 'Honey', quantity: 2, price: total / 2 };
      const body = {
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        total_amount: total,
        currency: 'SAR',
        skus: ['P_B'],
        products: [line],
        ...more,
      };
      const reply = await ask('POST /orders', { body });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.data.id;
    },
    orderNow: async (id) => (await ask(`GET /orders/${id}`)).body.order,
    async deliver(install, body, headers = {}) {
      const raw = typeof body === 'string' ? body : JSON.stringify(body);
      const sent = await call<ReplyBody>(service.baseUrl, `POST /ingest/${install.id}`, {
        raw,
        headers: { 'content-type': 'application/json', ...headers },
      });
      expect(sent.status, sent.text).toBeLessThan(300);
      const find = async () => (await ask(`GET /staging/${sent.body.data.staging_id}`)).body;
      await expect.poll(async () => (await find()).status).not.toBe('pending');
      return find();
    },
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function tamaraToken(key: string): string {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: Math.floor(Date.now() / 1000) + 600 })}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
