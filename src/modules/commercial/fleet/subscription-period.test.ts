import { describe, expect, it } from 'vitest';
import { call } from '../../../../test/harness/index.ts';
import { setSuspended } from '../../identity/index.ts';
import { bill, openShop } from './testing/fleet.ts';
import { startCommercial } from './testing/start-commercial.ts';

const { service, sql, clock, fleet, check } = await startCommercial();

/** What both routes say of the subscription. */
async function subscriptionOf(token: string) {
  const billing = await call(service.baseUrl, 'GET /billing', { token });
  const credentials = await call(service.baseUrl, 'GET /auth/credentials', { token });
  expect([billing.status, credentials.status]).toEqual([200, 200]);
  expect(check('GET /billing', billing)).toEqual([]);
  const pick = ({ plan, status, period_end }: Record<string, unknown>) => ({ plan, status, period_end });
  expect(pick(billing.body)).toEqual(pick(credentials.body.subscription));
  return pick(billing.body);
}

describe('GET /billing and GET /auth/credentials agree on plan, status and period_end', () => {
  it('of an organization that was never charged: null', async () => {
    const shop = await openShop(fleet, 'Fresh', 'جديد');
    expect(await subscriptionOf(shop.token)).toEqual({ plan: 'standard', status: 'active', period_end: null });
  });

  it('of one that was charged: the end of the last charged month in Riyadh; of one suspended: the same', async () => {
    const shop = await openShop(fleet, 'Charged', 'مفوتر', 2);
    await bill(fleet, '2026-04-02T00:00:00Z');
    const april = { plan: 'standard', status: 'active', period_end: '2026-04-30T21:00:00.000Z' };
    expect(await subscriptionOf(shop.token)).toEqual(april);
    await bill(fleet, '2026-05-05T00:00:00Z');
    expect(await subscriptionOf(shop.token)).toMatchObject({
      status: 'past_due',
      period_end: '2026-05-31T21:00:00.000Z',
    });
    await setSuspended(sql, shop.id, clock.now());
    await expect
      .poll(() => subscriptionOf(shop.token).catch(() => undefined))
      .toMatchObject({ status: 'suspended', period_end: '2026-05-31T21:00:00.000Z' });
  });

  it('of one whose operator has set a later end: that end', async () => {
    const shop = await openShop(fleet, 'Extended', 'ممدد');
    await sql`update organizations set period_end = '2099-12-01T00:00:00Z' where id = ${shop.id}`;
    expect(await subscriptionOf(shop.token)).toMatchObject({ period_end: '2099-12-01T00:00:00.000Z' });
  });
});
