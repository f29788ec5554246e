import { expect } from 'vitest';
import { issueApiKey } from '../../../src/modules/identity/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { type Call, call, testAccount, testShop } from '../../harness/index.ts';
import { startVendorHosts, tokenOf } from './vendor-hosts.ts';

export const ACCESS_TOKEN = 'SALLA-LIVE-TOKEN';
const CLIENT_SECRET = 'HS-CLIENT-SECRET';

/** One app whose calls carry a stored token, one that sends its secret to a token endpoint first. */
export const APPS = {
  salla: {
    secret: ACCESS_TOKEN,
    setting: 'access_token',
    settings: { webhook_secret: 'signs calls', access_token: ACCESS_TOKEN },
  },
  hungerstation: {
    secret: CLIENT_SECRET,
    setting: 'client_secret',
    settings: { webhook_secret: 'signs calls', client_id: 'ci', client_secret: CLIENT_SECRET, chain_id: '7' },
  },
} as const;
export type Slug = keyof typeof APPS;

const GRANTS = ['read:Apps', 'create:Apps', 'update:Apps'];

/** A shop with apps, the vendor's host, two hosts of an attacker, and everyone who may try to change an install. */
export async function openCredentialShop() {
  const hosts = await startVendorHosts();
  const vendor = await hosts.start();
  /** Of the attacker: another address, and another port of the vendor's own address. */
  const elsewhere = await hosts.start('127.0.0.3');
  const otherPort = await hosts.start();
  const { service, shop, ask } = await testShop({ ...hosts.settings, DUKKAN_ROLES: 'api' });
  const { sql } = service;

  const callers: Record<'owner' | 'member' | 'viewer' | 'key', Call> = {
    owner: { token: shop.owner.token },
    member: { token: (await testAccount(sql, shop.id, 'member')).token },
    viewer: { token: (await testAccount(sql, shop.id, 'viewer', { added: ['update:Apps', 'create:Apps'] })).token },
    key: { apiKey: await fullKey() },
  };

  async function fullKey(): Promise<string> {
    const key = { organizationId: shop.id, name: 'full', createdBy: shop.owner.userId, now: new Date() };
    return (await issueApiKey(sql, { ...key, grants: GRANTS })).apiKey;
  }

  async function install(slug: Slug, settings: object = {}): Promise<string> {
    const body = { app_slug: slug, settings: { ...APPS[slug].settings, api_base_url: vendor.origin, ...settings } };
    const reply = await ask('POST /apps', { body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data.id;
  }

  async function newOrder(installId: string): Promise<string> {
    const made = await ask('POST /orders', {
      body: {
        source: installId,
        source_transaction_id: newId(),
        order_status: 'RECEIVED',
        payment_status: 'pending',
        fulfillment_status: 'None',
        skus: ['s'],
        products: [{ product_id: 'p', sku_id: 's', name: 'n', quantity: 1, price: 1 }],
        total_amount: 1,
      },
    });
    expect(made.status, made.text).toBe(201);
    return made.body.data.id;
  }

  /** A change of status, which calls the install's vendor with the stored credentials. */
  async function push(installId: string) {
    return ask(`PATCH /orders/${await newOrder(installId)}/status`, { body: { order_status: 'CANCELLED' } });
  }

  const as = (caller: Call, target: string, body: object) => call(service.baseUrl, target, { body, ...caller });

  const change = (id: string, settings: object, caller: Call = callers.owner) =>
    as(caller, `PATCH /apps/${id}`, { settings });

  const settingsOf = async (id: string) =>
    (await ask('GET /apps')).body.data.find((row: { id: string }) => row.id === id).settings;

  async function expectNothingStolen(secret: string): Promise<void> {
    for (const thief of [elsewhere, otherPort]) {
      expect(thief.hasSeen(secret)).toBe(false);
      expect(thief.hasSeen(tokenOf(`127.0.0.1:${vendor.port}`))).toBe(false);
    }
  }

  function forgetCalls(): void {
    for (const host of [vendor, elsewhere, otherPort]) {
      host.respondWith(undefined);
      host.requests.length = 0;
    }
  }

  return {
    ask,
    sql,
    vendor,
    elsewhere,
    otherPort,
    callers,
    as,
    install,
    push,
    change,
    settingsOf,
    expectNothingStolen,
    forgetCalls,
  };
}
