import { afterEach, describe, expect, test } from 'vitest';
import { openJobs, stopOpenedJobs } from '../../src/platform/jobs/testing/opened-jobs.ts';
import { atEndOfFile } from '../harness/end-of-file.ts';
import { testOrganization } from '../harness/index.ts';
import { MADE_ORDERS, type MadeOrder, ORDERING_SLUGS, type OrderingSlug } from '../vendors/made-orders.ts';
import type { VendorRecord } from '../vendors/vendor.ts';
import { testVendorShop } from '../vendors/vendor-shop.ts';

const shop = await testVendorShop();
const { ask, branches, vendors, service } = shop;

afterEach(() => {
  vendors.clearFaults();
  vendors.forgetCalls();
});

const ordersOf = async (installId: string): Promise<VendorRecord[]> =>
  (await ask(`GET /orders?source=${installId}&format=canonical`)).body.orders;

/** To the halala that each line may be rounded by. */
function expectToAddUp({ amounts }: VendorRecord, { isVatOnTop = false }: MadeOrder): void {
  const { subtotal, discounts, delivery_fee, service_fee, vat, total } = amounts;
  expect(subtotal - discounts + delivery_fee + service_fee + (isVatOnTop ? vat : 0)).toBeCloseTo(total, 2);
}

function expectShown(order: VendorRecord | undefined, slug: OrderingSlug, id: string): void {
  const made: MadeOrder = MADE_ORDERS[slug];
  expect(order).toMatchObject({
    status: 'received',
    ...made.shown,
    external: { order_id: id, ...made.shown.external },
    branch: { id: branches.RUH, ...made.shown.branch },
  });
  expectToAddUp(order ?? {}, made);
}

describe.each(ORDERING_SLUGS)('%s', (slug) => {
  test("'s order is accepted whole with its own signature, and refused without", async () => {
    const installed = await shop.install(slug);
    const made = shop.make(slug);

    const forged = await shop.send(installed, made, { secret: 'another', token: 'another' });
    expect(forged.status).toBe(401);
    const { status, stagingId } = await shop.send(installed, made);
    expect(status).toBe((MADE_ORDERS[slug] as MadeOrder).answers ?? 202);
    const row = await shop.settled(stagingId);
    expect(row).toMatchObject({
      app_slug: slug,
      external_order_id: made.id,
      status: 'processed',
      outcome: 'created',
      error: null,
    });

    const orders = await ordersOf(installed.id);
    expect(orders).toHaveLength(1);
    expectShown(orders[0], slug, made.id);
    expect(orders[0]?.channel).toMatchObject({ app_slug: slug, organization_app_id: installed.id });
    expect((await ask(`GET /staging?organization_app_id=${installed.id}`)).body.total_count).toBe(1);
  });
});

describe('a notice whose order cannot be had', () => {
  test('for a moment is asked about again', async () => {
    const installed = await shop.install('square');
    const made = shop.make('square');
    vendors.addFault({ vendor: 'square', method: 'GET', kind: 'fail', times: 2 });
    const { stagingId } = await shop.send(installed, made);
    expect(await shop.settled(stagingId)).toMatchObject({ status: 'processed', outcome: 'created', attempts: 2 });
  });

  test('for want of a credential says so, and comes in once it is given and tried again', async () => {
    const installed = await shop.install('square', { access_token: null });
    const made = shop.make('square');
    const { stagingId } = await shop.send(installed, made);
    expect(await shop.settled(stagingId)).toMatchObject({ status: 'failed', error: { code: 'credentials_missing' } });
    await ask(`PATCH /apps/${installed.id}`, { body: { settings: { access_token: 'sq-1234' } } });
    expect((await ask(`POST /staging/${stagingId}/retry`)).status).toBe(202);
    expect(await shop.settled(stagingId)).toMatchObject({ status: 'processed', outcome: 'created', error: null });
  });
});

test('what its customer fetches is delivered when it is picked up', async () => {
  const installed = await shop.install('talabat');
  const [fetched, brought] = await Promise.all([
    shop.take(installed, { expeditionType: 'pickup', pickup: { pickupTime: '2026-11-15T09:40:00.000Z' } }),
    shop.take(installed),
  ]);
  for (const { id } of [fetched, brought]) {
    const { stagingId } = await shop.send(
      installed,
      { id, order: {} },
      {
        method: 'PUT',
        path: `/remoteId/remote-7/remoteOrder/${id}/posOrderStatus`,
        notice: { status: 'ORDER_PICKED_UP' },
      },
    );
    expect(await shop.settled(stagingId)).toMatchObject({ outcome: 'updated' });
  }
  expect(await shop.statusOf(fetched.ownId)).toBe('DELIVERED');
  expect(await shop.statusOf(brought.ownId)).toBe('DISPATCHED');
});

describe('vendors that are polled', () => {
  const jobs = openJobs(service.sql, false);
  jobs.every('poll-vendors', '*/5 * * * *', async () => undefined);
  atEndOfFile(stopOpenedJobs);
  let isStarted = false;

  /** As if some minutes had gone by. */
  async function pollNow(): Promise<void> {
    if (!isStarted) await jobs.start();
    isStarted = true;
    await service.sql`update app_installs set polled_at = polled_at - interval '5 minutes'`;
    await jobs.enqueue(service.sql, 'poll-vendors', {});
  }

  const dates = {
    magento2: (at: Date) => ({ updated_at: at.toISOString().slice(0, 19).replace('T', ' ') }),
    'amazon-sp': (at: Date) => ({ LastUpdateDate: `${at.toISOString().slice(0, 19)}Z` }),
  };
  const cancelled = { magento2: { state: 'canceled' }, 'amazon-sp': { OrderStatus: 'Canceled' } };

  test.each(['magento2', 'amazon-sp'] as const)(
    '%s: what changed comes in, once, and again when it has changed',
    async (slug) => {
      const now = Date.now();
      vendors.shop(slug).orders.clear();
      const first = shop.make(slug, dates[slug](new Date(now - 3_600_000)));
      shop.make(slug, dates[slug](new Date(now - 3 * 86_400_000)));
      const installed = await shop.install(slug, { access_token: 'Atza|polled' });
      await pollNow();
      await expect.poll(() => ordersOf(installed.id)).toHaveLength(1);
      const [order] = await ordersOf(installed.id);
      expectShown(order, slug, first.id);
      // What was polled is whole: nothing of it is asked for a second time.
      const ours = vendors.calls(slug).filter(({ headers }) => JSON.stringify(headers).includes('polled'));
      const asked = ours.map(({ path }) => path);
      expect(asked).toHaveLength(new Set(asked).size);

      vendors
        .shop(slug)
        .orders.set(first.id, { ...first.order, ...cancelled[slug], ...dates[slug](new Date(now - 60_000)) });
      await pollNow();
      await expect.poll(() => shop.statusOf(order?.id)).toBe('CANCELLED');
      const { body } = await ask(`GET /staging?organization_app_id=${installed.id}`);
      expect(body.total_count).toBe(2);
    },
  );

  test('and cannot be asked do not keep others from their turn', async () => {
    vendors.shop('magento2').orders.clear();
    const other = await testOrganization(service.sql);
    await service.sql`
      insert into app_installs (organization_id, id, app_slug, name_en, name_ar, family, kind, enabled, version, created, updated)
      select ${other.id}, gen_random_uuid(), 'magento2', 'Magento 2', 'Magento 2', 'web_store', 'storefront', true, 1, now(), now()
      from generate_series(1, 101)`;
    const made = shop.make('magento2', dates.magento2(new Date(Date.now() - 60_000)));
    const installed = await shop.install('magento2');
    await service.sql`update app_installs set polled_at = date_trunc('milliseconds', now()) where id = ${installed.id}`;
    await pollNow();
    await expect.poll(() => ordersOf(installed.id)).toHaveLength(1);
    expect((await ordersOf(installed.id))[0]?.external.order_id).toBe(made.id);
  });
});
