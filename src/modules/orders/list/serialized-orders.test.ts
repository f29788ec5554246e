import { describe, expect, test } from 'vitest';
import { call, type ReplyBody, testAccount, testOrganization, testService } from '../../../../test/harness/index.ts';
import { newOrder } from '../testing/new-order.ts';

describe('a list after a change', async () => {
  const service = await testService();
  const { sql } = service;
  const shop = await testOrganization(sql);
  const as = (target: string, body?: object) => call(service.baseUrl, target, { token: shop.owner.token, body });
  const place = async (order = {}) => (await as('POST /orders', newOrder(order))).body.data.id as string;
  const ids: string[] = [];
  for (let placed = 0; placed < 6; placed += 1) ids.unshift(await place({ customer_name: `نورة ${placed}` }));

  const list = async (query = '') => (await as(`GET /orders${query}`)).body;
  const ordersOf = (answer: ReplyBody) => answer.orders.map((one: ReplyBody) => one.order ?? one);
  /** A page past the first is never cached. */
  const uncached = async (query: string) => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?limit=3&page=${page}${query}`)));
    return pages.flatMap(ordersOf);
  };

  test('has the same orders as one that was not cached, in both formats', async () => {
    for (const query of ['', '&format=canonical']) {
      const first = await list(`?limit=50${query}`);
      const second = await list(`?limit=50${query}`);
      expect(ordersOf(second)).toEqual(ordersOf(first));
      expect(ordersOf(second).map((order: ReplyBody) => order.id)).toEqual(ids);
      for (const order of ordersOf(second)) {
        const alone = await list(`/${order.id}?${query}`);
        expect(order).toEqual(alone.order);
      }
      expect((await uncached(query)).slice(3)).toEqual(ordersOf(second).slice(3));
    }
  });

  test('gives each answer its own time and event ids', async () => {
    const [one, other] = [await list(), await list()];
    expect(Object.keys(one.orders[0])).toEqual(Object.keys(await list(`/${ids[0]}`)));
    for (const { occurred_at, orders } of [one, other]) {
      expect(orders[0].occurred_at).toBe(occurred_at);
      expect(orders[0].event_id).toMatch(new RegExp(`^snapshot-${ids[0]}-\\d{19}$`));
    }
    expect(one.orders[0].event_id).not.toBe(other.orders[0].event_id);
  });

  test.each<[string, number, (id: string) => Promise<unknown>, (order: ReplyBody) => unknown, unknown]>([
    [
      'of the status',
      2,
      (id) => as(`PATCH /orders/${id}/status`, { order_status: 'CONFIRMED' }),
      (order) => order.order_status,
      'CONFIRMED',
    ],
    [
      'of a field',
      3,
      (id) => as(`PUT /orders/${id}`, newOrder({ customer_name: 'Lama' })),
      (order) => order.customer_name,
      'Lama',
    ],
    [
      'by another process that leaves updated_at as it was',
      4,
      (id) => sql`update orders set comment = 'elsewhere' where id = ${id}`,
      (order) => order.comment,
      'elsewhere',
    ],
  ])('%s shows it at once', async (_kind, at, change, shown, expected) => {
    await list();
    await change(ids[at] as string);
    expect(shown(ordersOf(await list())[at])).toBe(expected);
    expect(ordersOf(await list())[at]).toEqual((await list(`/${ids[at]}`)).order);
  });

  test('contains a new order, and not a deleted one', async () => {
    await list();
    ids.unshift(await place());
    expect(ordersOf(await list())[0].id).toBe(ids[0]);
    await sql`delete from orders where id = ${ids.shift() as string}`;
    expect(ordersOf(await list()).map((order: ReplyBody) => order.id)).toEqual(ids);
  });

  test('leaves out orders that left the branch of an account that is confined to it', async () => {
    const branch = (await as('POST /branches', { iv_id: 'B-1', name_en: 'One' })).body.data.id;
    const { token } = await testAccount(sql, shop.id, 'member', { branchId: branch });
    const own = async () => ordersOf((await call(service.baseUrl, 'GET /orders', { token })).body).length;
    await list();
    expect(await own()).toBe(0);
    await sql`update orders set destination_id = ${branch} where id = ${ids[0] as string}`;
    expect(await own()).toBe(1);
    await sql`update orders set destination_id = null where id = ${ids[0] as string}`;
    expect(await own()).toBe(0);
  });
});
