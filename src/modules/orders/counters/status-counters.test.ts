import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { countsFolded } from '../testing/counts-folded.ts';
import { newOrder } from '../testing/new-order.ts';
import { sweepCounts } from './sweep-counts.ts';

const MAX_COMBINATIONS = 500;

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

function shopCalls(shop: TestOrganization) {
  const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
    call(service.baseUrl, target, { token: shop.owner.token, ...options });
  return {
    as,
    async total(query = '', token = shop.owner.token): Promise<number> {
      return (await as(`GET /orders?limit=1${query}`, { token })).body.pagination.total_items;
    },
    async placeAll(orders: Record<string, unknown>[]): Promise<void> {
      for (let from = 0; from < orders.length; from += 100) {
        const reply = await as('POST /orders/bulk', { body: orders.slice(from, from + 100) });
        expect(reply.body.data.failed).toBe(0);
      }
    },
    /** Of the counts, once no delta is left. */
    async combinations(): Promise<number> {
      await countsFolded(service.sql);
      const [row] = await service.sql<{ count: number }[]>`
        select count(distinct (order_status, payment_status, fulfillment_status, source, currency)) as count
        from order_counts where organization_id = ${shop.id}`;
      return row?.count ?? 0;
    },
    async idsOf(status: string): Promise<string[]> {
      const rows = await service.sql<{ id: string }[]>`
        select id from orders where organization_id = ${shop.id} and order_status = ${status}`;
      return rows.map((row) => row.id);
    },
  };
}

describe('a tenant with a different status for every order', () => {
  it('has a limited number of counts and exact totals', async () => {
    const shop = await testOrganization(service.sql);
    const { as, total, placeAll, combinations, idsOf } = shopCalls(shop);
    const branch = (await as('POST /branches', { body: { iv_id: 'B' } })).body.data.id;
    const confined = await testAccount(service.sql, shop.id, 'member', { branchId: branch });
    const status = (index: number) => `status-${index}`;
    const orders = Array.from({ length: MAX_COMBINATIONS + 100 }, (_, index) =>
      newOrder({ order_status: status(index), destination: branch, payment_status: 'completed' }),
    );
    await placeAll(orders);
    await placeAll([newOrder({ order_status: status(599) }), newOrder({ order_status: status(3), currency: 'USD' })]);

    // With the overflow row, and the rows of the branch beside those of the tenant.
    expect(await combinations()).toBeLessThanOrEqual(2 * (MAX_COMBINATIONS + 1));
    expect(await total()).toBe(602);
    expect(await total('', confined.token)).toBe(600);
    expect(await total('&status=status-3')).toBe(2);
    expect(await total('&status=status-599')).toBe(2);
    expect(await total('&status=status-599', confined.token)).toBe(1);
    expect(await total('&payment_status=completed')).toBe(600);
    expect(await total('&currency=USD')).toBe(1);
    const dashboard = (await as('GET /orders/dashboard')).body;
    expect(dashboard).toMatchObject({ open: 602, by_status: { unknown: 602, cancelled: 0 } });

    // Moves out of the overflow row, within it, into it, and deletes.
    const [known] = await idsOf('status-3');
    const overflow = await idsOf('status-599');
    const [moving, staying] = overflow;
    const advance = (id: string | undefined, order_status: string) =>
      as(`PATCH /orders/${id}/status`, { body: { order_status } });
    await advance(moving, 'status-3');
    await advance(staying, 'own-status');
    await advance(known, 'another-own-status');
    expect(await total('&status=status-599')).toBe(0);
    expect(await total('&status=status-3')).toBe(2);
    expect(await total('&status=own-status')).toBe(1);
    expect(await total('&status=another-own-status')).toBe(1);
    expect(await total()).toBe(602);
    await advance(staying, 'CANCELLED');
    expect((await as('GET /orders/dashboard')).body.by_status).toMatchObject({ unknown: 601, cancelled: 1 });
    const every = await service.sql<{ id: string }[]>`select id from orders where organization_id = ${shop.id}`;
    for (let from = 0; from < every.length; from += 100) {
      await as('DELETE /orders/bulk', { body: every.slice(from, from + 100).map(({ id }) => id) });
    }
    expect(await total()).toBe(0);
    expect(await total('&payment_status=completed')).toBe(0);
    const left = await service.sql`select 1 from rare_orders where organization_id = ${shop.id}`;
    expect(left).toHaveLength(0);
  });
});

describe('sweepCounts', () => {
  it('deletes combinations that no order has any more', async () => {
    const shop = await testOrganization(service.sql);
    const { as, total, combinations, idsOf } = shopCalls(shop);
    await as('POST /orders', { body: newOrder({ order_status: 'unchanged' }) });
    await as('POST /orders', { body: newOrder({ order_status: 'step-0' }) });
    const [id] = await idsOf('step-0');
    for (let step = 1; step <= 20; step += 1) {
      await countsFolded(service.sql);
      await as(`PATCH /orders/${id}/status`, { body: { order_status: `step-${step}` } });
    }
    expect(await combinations()).toBe(22);
    expect(await sweepCounts(service.sql)).toBeGreaterThanOrEqual(20);
    expect(await combinations()).toBe(2);
    expect(await total()).toBe(2);
    expect(await total('&status=step-20')).toBe(1);
    expect(await total('&status=step-7')).toBe(0);
  });

  it('keeps totals exact while orders are written', async () => {
    const shop = await testOrganization(service.sql);
    const { as, total } = shopCalls(shop);
    const writers = Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 8; round += 1) {
        const { id } = (await as('POST /orders', { body: newOrder({ order_status: 'here' }) })).body.data;
        expect((await as(`PATCH /orders/${id}/status`, { body: { order_status: 'there' } })).status).toBe(200);
        expect((await as('DELETE /orders/bulk', { body: [id] })).body.data.succeeded).toBe(1);
      }
      await as('POST /orders', { body: newOrder({ order_status: 'there' }) });
    });
    let writing = true;
    const sweeping = (async () => {
      while (writing) await sweepCounts(service.sql);
    })();
    // Also when a writer fails, the sweep ends with the test.
    await Promise.all(writers).finally(() => {
      writing = false;
      return sweeping;
    });
    await countsFolded(service.sql);
    await sweepCounts(service.sql);
    expect(await total()).toBe(6);
    expect(await total('&status=there')).toBe(6);
    expect(await total('&status=to-and-fro')).toBe(0);
    const [rows] = await service.sql<{ count: number }[]>`
      select count(*) as count from order_counts where organization_id = ${shop.id}`;
    expect(rows?.count).toBe(1);
  });
});
