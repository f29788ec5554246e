import { describe, expect, test } from 'vitest';
import { testOrganization, testService, testShop } from '../../../test/harness/index.ts';
import { inTransaction, withoutTenant } from '../../platform/database/index.ts';
import { eventsOf, lockFollower, type StampedEvent } from '../events/index.ts';
import { type PastOrder, placeHistory } from '../orders/index.ts';
import { countOrdersWithoutEvents } from './count-orders-without-events.ts';
import { projectEvents } from './project-orders.ts';
import { rebuildSales, rebuildSalesOf, SALES_FOLLOWER } from './rebuild-sales.ts';
import { forgetDeleted } from './sql/projected-orders.ts';
import { salesCaughtUp } from './testing/caught-up.ts';
import { readPicture, recount } from './testing/recount.ts';

const { service, shop, ask } = await testShop();
const picture = () => readPicture(service.sql, shop.id);
const as = (target: string, body: unknown) => ask(target, { body });

async function place(): Promise<string> {
  const products = [{ product_id: 'P', sku_id: 'S', price: 1.1, quantity: 3 }];
  const order = { order_status: 'RECEIVED', fulfillment_status: 'None', skus: ['S'], products, total_amount: 3.3 };
  const { body } = await as('POST /orders', { ...order, customer_phone: '0501234567' });
  return body.data?.id ?? '';
}

const eventsOfOrder = (orderId: string) =>
  service.sql<StampedEvent[]>`
    select * from ${eventsOf(service.sql, shop.id)} where order_id = ${orderId} order by position`;

describe('a deleted order', () => {
  test('is not restored by an earlier event', async () => {
    const id = await place();
    await as('DELETE /orders/bulk', [id]);
    await salesCaughtUp(service.sql);
    const before = await picture();
    const [created] = await eventsOfOrder(id);
    await inTransaction(service.sql, (tx) => projectEvents(tx, created === undefined ? [] : [created]));
    expect(created?.type).toBe('order.created');
    expect(await picture()).toEqual(before);
  });

  test('is removed from the projection when the feed no longer has its events', async () => {
    const other = await place();
    const id = await place();
    await as('DELETE /orders/bulk', [id]);
    await salesCaughtUp(service.sql);
    const before = await picture();
    const last = (await eventsOfOrder(id)).at(-1)?.position ?? 0;
    const isProjected = async (orderId: string) =>
      (await service.sql`select 1 from projected_orders where order_id = ${orderId}`).length === 1;

    await inTransaction(service.sql, (tx) => forgetDeleted(tx, undefined, last));
    expect([await isProjected(other), await isProjected(id)]).toEqual([true, true]);
    await inTransaction(service.sql, (tx) => forgetDeleted(tx, undefined, last + 1));
    expect([await isProjected(other), await isProjected(id)]).toEqual([true, false]);
    expect(await picture()).toEqual(before);
  });
});

describe('imported orders', () => {
  test('are counted without events, and have events only when they are recent', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 9, day));
    const past = [1, 2, 3].map((day): PastOrder => {
      const stage = { order_status: 'DELIVERED', payment_status: 'paid', fulfillment_status: 'Full' };
      return {
        order: {
          source_transaction_id: `past-${day}`,
          customer_phone: '0559998877',
          skus: ['S'],
          products: [{ product_id: 'P', sku_id: 'S', price: 2, quantity: 1 }],
          total_amount: 2,
        },
        stages: [
          { ...stage, at: at(day), order_status: 'RECEIVED', payment_status: 'pending' },
          { ...stage, at: at(day + 1) },
        ],
      };
    });
    const taken = await inTransaction(service.sql, (tx) => placeHistory(tx, shop.id, past, { eventsSince: at(3) }));
    const again = await inTransaction(service.sql, (tx) => placeHistory(tx, shop.id, past, { eventsSince: at(3) }));
    expect([taken, again]).toEqual([3, 0]);
    await expect.poll(async () => (await service.sql`select 1 from orders_without_events`).length).toBe(0);
    await salesCaughtUp(service.sql);
    expect(await picture()).toEqual(await recount(service.sql, shop.id, 'Asia/Riyadh'));
    const events = await service.sql<{ type: string; occurred_at: Date }[]>`
      select type, occurred_at from ${eventsOf(service.sql, shop.id)}
      where body like '%0559998877%' order by position`;
    expect([...events]).toEqual([
      { type: 'order.created', occurred_at: at(3) },
      { type: 'order.status_changed', occurred_at: at(4) },
    ]);
  });
});

describe('rebuildSales', () => {
  test('recounts one tenant or all', async () => {
    const [row] = await service.sql<{ orders: number }[]>`select count(*) as orders from orders`;
    expect(await rebuildSales(service.sql, shop.id)).toEqual({ organizations: 1, orders: row?.orders });
    const all = await rebuildSales(service.sql);
    expect(all.orders).toBe(row?.orders);
    expect(all.organizations).toBeGreaterThanOrEqual(1);
  });

  test('changes nothing when it is aborted', async () => {
    const before = await picture();
    const rebuilding = inTransaction(service.sql, (tx) => rebuildSalesOf(tx, shop.id, AbortSignal.abort()));
    await expect(rebuilding).rejects.toThrow();
    expect(await picture()).toEqual(before);
  });

  test('counts more orders than one page', async () => {
    const many = await testOrganization(service.sql);
    const past = Array.from({ length: 2_100 }, (_, index): PastOrder => {
      const at = new Date(Date.UTC(2026, 0, 1) + index * 3_600_000);
      return {
        order: { skus: ['S'], products: [{ product_id: 'P', sku_id: 'S', price: 1 }], total_amount: 1 },
        stages: [{ at, order_status: 'DELIVERED', payment_status: 'paid', fulfillment_status: 'Full' }],
      };
    });
    await inTransaction(service.sql, (tx) => placeHistory(tx, many.id, past, { eventsSince: new Date() }));
    expect(await rebuildSales(service.sql, many.id)).toEqual({ organizations: 1, orders: 2_100 });
    const [row] = await service.sql<{ orders: number }[]>`
      select sum(orders) as orders from daily_sales where organization_id = ${many.id}`;
    expect(row?.orders).toBe(2_100);
  });
});

describe('stop', () => {
  test('does not wait for a long recount, which the next start repeats', async () => {
    // Without workers of its own: the one that is stopped is alone.
    const { sql, platform } = await testService({ DUKKAN_ROLES: 'api' });
    const { id } = await testOrganization(sql);
    const worker = countOrdersWithoutEvents(platform);
    await sql`insert into orders_without_events (organization_id) values (${id})`;
    await inTransaction(sql, async (tx) => {
      await lockFollower(tx, SALES_FOLLOWER, tx.layout.groupOf(id));
      await withoutTenant(async () => {
        await worker.start();
        const waits = () => sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(async () => (await waits()).length).toBe(1);
        await worker.stop();
      });
    });
    expect([...(await sql`select organization_id from orders_without_events`)]).toEqual([{ organization_id: id }]);
  });
});
