import { expect } from 'vitest';
import type { ReplyBody } from '../../../../test/harness/index.ts';
import { type Installed, openPayShop, type PayShop } from './pay-shop.ts';

export const SECRET = 'a-secret-of-the-provider';
export const SLUGS = {
  tabby: 'tabby-pos-paylinks',
  tamara: 'tamara-pos-paylinks',
  mispay: 'mispay-pos-paylinks',
} as const;
export type Bnpl = keyof typeof SLUGS;
export const BNPL = Object.keys(SLUGS) as Bnpl[];
export const ORDER = {
  total_amount: 70.5,
  currency: 'SAR',
  line_items: [{ sku: 'HON-1', name: 'Honey', qty: 3, price: 23.5 }],
};

export const paylinks = (provider: Bnpl) => `/providers/${provider}/paylinks`;

/** A shop with the three BNPL providers, each simulated. */
export async function openBnplShop() {
  const at: PayShop = await openPayShop();
  const installed: Record<Bnpl, Installed> = {
    tabby: await at.install(SLUGS.tabby, { webhook_secret: SECRET, access_token: 'sk', merchant_code: 'shop' }),
    tamara: await at.install(SLUGS.tamara, { webhook_secret: SECRET, access_token: 'sk' }),
    mispay: await at.install(SLUGS.mispay, { client_id: 'app', client_secret: 'app-secret' }),
  };

  async function made(provider: Bnpl, body: object, headers = {}): Promise<ReplyBody> {
    const reply = await at.ask(`POST ${paylinks(provider)}`, { body, headers });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  }

  return {
    at,
    installed,
    made,
    agree: (provider: Bnpl, row: ReplyBody) => at.vendors.agree(SLUGS[provider], row.provider_reference),
    capture: (provider: Bnpl, row: ReplyBody, body?: object, headers = {}) =>
      at.ask(`POST ${paylinks(provider)}/${row.id}/capture`, { headers, ...(body === undefined ? {} : { body }) }),
  };
}
