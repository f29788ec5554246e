import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { DIRECT_CHANNEL, NO_BRANCH } from '../order.ts';
import type { OrderInput } from '../schema.ts';
import { countsFolded } from '../testing/counts-folded.ts';
import { newOrder } from '../testing/new-order.ts';
import { buildOrder } from './build-order.ts';
import { writeOrders } from './write-orders.ts';

let service: TestService;
let shop: TestOrganization;
let destination: string;

beforeAll(async () => {
  // Fewer connections than writers: a writer that held one connection and needed a second would wait for ever.
  service = await testService({ DATABASE_POOL_SIZE: '8' });
  shop = await testOrganization(service.sql);
  destination = await makeBranch('RUH-1');
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

async function makeBranch(ivId: string): Promise<string> {
  return (await as('POST /branches', { body: { iv_id: ivId } })).body.data.id;
}

const statuses = (replies: { status: number }[]) => [...new Set(replies.map((reply) => reply.status))].sort();
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('with more writers than connections', () => {
  it('answers 50 bulk calls with a destination', async () => {
    const replies = await Promise.all(
      times(50, () => as('POST /orders/bulk', { body: [newOrder({ destination }), newOrder({ destination })] })),
    );
    expect(statuses(replies)).toEqual([200]);
    expect(replies.every((reply) => reply.body.data.succeeded === 2)).toBe(true);
  });

  it('answers 200 creates with an idempotency key and a destination', async () => {
    const replies = await Promise.all(
      times(200, (index) =>
        as('POST /orders', { body: newOrder({ destination }), headers: { 'idempotency-key': `many-${index}` } }),
      ),
    );
    expect(statuses(replies)).toEqual([201]);
  });
});

describe('a repeated idempotency key', () => {
  it('returns the stored response after the branch was deleted', async () => {
    const gone = await makeBranch('GONE');
    const body = newOrder({ destination: gone });
    const headers = { 'idempotency-key': 'kept-1' };
    const first = await as('POST /orders', { body, headers });
    const bulkBody = { mode: 'create', orders: [newOrder({ destination: gone })] };
    const bulkHeaders = { 'idempotency-key': 'kept-2' };
    const firstBulk = await as('POST /orders/bulk', { body: bulkBody, headers: bulkHeaders });
    expect((await as('DELETE /branches/GONE?force=true')).status).toBe(204);

    const again = await as('POST /orders', { body, headers });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    const againBulk = await as('POST /orders/bulk', { body: bulkBody, headers: bulkHeaders });
    expect(againBulk.body).toEqual(firstBulk.body);
    expect(againBulk.headers.get('idempotency-hit')).toBe('true');
  });

  it('runs the request again after a refusal', async () => {
    const headers = { 'idempotency-key': 'refused-1' };
    const body = newOrder({ destination: '0193a1f0-7c00-7000-8000-0000000000ff' });
    expect((await as('POST /orders', { body, headers })).status).toBe(422);
    const again = await as('POST /orders', { body, headers });
    expect(again.status).toBe(422);
    expect(again.headers.has('idempotency-hit')).toBe(false);
  });
});

describe('writers of the same source transactions', () => {
  it('wait for each other without a deadlock, in opposite orders, in bulk and alone', async () => {
    for (let round = 0; round < 12; round += 1) {
      const orders = times(30, (index) =>
        newOrder({ source_transaction_id: `meet-${round}-${index}`, order_status: `S${index % 5}` }),
      );
      const bulk = (body: unknown[]) => as('POST /orders/bulk', { body });
      const replies = await Promise.all([
        bulk(orders),
        bulk(orders.toReversed()),
        ...orders.toReversed().map((body) => as('POST /orders', { body })),
        bulk(orders.toReversed()),
        bulk(orders),
      ]);
      expect(statuses(replies).filter((status) => status >= 500)).toEqual([]);
      const bulks = replies.filter((reply) => reply.status === 200);
      const singles = replies.filter((reply) => reply.status === 201);
      const placed = bulks.reduce((sum, reply) => sum + reply.body.data.succeeded, singles.length);
      expect(placed).toBe(orders.length);
    }
  });

  it('make the events of a batch in the order of the items', async () => {
    const { owner } = await testOrganization(service.sql);
    const names = ['c', 'a', 'd', 'b', 'e'];
    const body = names.map((name) => newOrder({ source_transaction_id: name }));
    await as('POST /orders/bulk', { token: owner.token, body });
    const events = async () => (await as('GET /orders/changes', { token: owner.token })).body.events;
    await expect.poll(async () => (await events()).length).toBe(names.length);
    expect((await events()).map((event: ReplyBody) => event.order.external.order_id)).toEqual(names);
  });
});

describe('an open transaction that has placed an order', () => {
  it('delays no other order of the tenant, and is counted once it commits', async () => {
    const { id, owner } = await testOrganization(service.sql);
    const total = async () => (await as('GET /orders?limit=1', { token: owner.token })).body.pagination.total_items;
    const place = (path: string, body: unknown, headers?: Record<string, string>) =>
      as(path, { token: owner.token, body, headers });
    await inTransaction(service.sql, async (tx) => {
      const order = buildOrder(id, newOrder() as OrderInput, NO_BRANCH, DIRECT_CHANNEL, new Date());
      await writeOrders(tx, systemClock(), [{ order, json: JSON.stringify(order), isOverflow: false }]);
      const replies = await Promise.all([
        ...times(40, () => place('POST /orders', newOrder())),
        ...times(20, (index) => place('POST /orders', newOrder(), { 'idempotency-key': `open-${index}` })),
        ...times(10, () => place('POST /orders/bulk', [newOrder(), newOrder()])),
      ]);
      expect(statuses(replies)).toEqual([200, 201]);
      const moved = replies.slice(0, 20).map(({ body }) =>
        as(`PATCH /orders/${body.data.id}/status`, {
          token: owner.token,
          body: { order_status: 'DELIVERED' },
        }),
      );
      expect(statuses(await Promise.all(moved))).toEqual([200]);
      expect(await total()).toBe(80);
    });
    expect(await total()).toBe(81);
    await countsFolded(service.sql);
    expect(await total()).toBe(81);
  });
});
