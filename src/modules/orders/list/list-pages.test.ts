import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import type { Piece, Sql } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { type OrderSearch, readSearch } from '../search/read-search.ts';
import { ORDER_SORTS, type OrderFilter, type OrderSort } from '../sql/list-orders.ts';
import { searchMatches } from '../sql/search-orders.ts';
import { fillOrders } from '../testing/fill-orders.ts';
import { trackReads } from '../testing/track-reads.ts';
import { findOrderPage, pieceOf } from './list-orders.ts';

/** More rows than a list sorts, and more than a quick read may skip from either end. */
const COUNT = 11_000;
const branchId = newId();

let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  await fillOrders(service.sql, { organizationId: shop.id, count: COUNT - 500 });
  await fillOrders(service.sql, { organizationId: shop.id, count: 500, branchId });
  const neighbour = await testOrganization(service.sql);
  await fillOrders(service.sql, { organizationId: neighbour.id, count: 2_000 });
  await service.sql`vacuum analyze orders`;
});

/** A filter with its search as typed. */
type TypedFilter = Partial<Omit<OrderFilter, 'search'>> & { search?: string };

function filterOf({ search, ...filter }: TypedFilter): OrderFilter {
  const owner = { organizationId: shop.id, timeZone: 'Asia/Riyadh' };
  return {
    organizationId: shop.id,
    branchId: null,
    ...filter,
    search: search && readSearch(search, owner),
  } as OrderFilter;
}
const newest: OrderSort = { column: 'created', descending: true };

describe('every page equals that of a plain query', () => {
  const where: [string, TypedFilter, (sql: Sql) => Piece][] = [
    ['all', {}, (sql) => sql`true`],
    ['a branch', { branchId }, (sql) => sql`destination_id = ${branchId}`],
    ['a status', { orderStatus: 'RECEIVED' }, (sql) => sql`order_status = 'RECEIVED'`],
    ['a rare source', { source: 'rare' }, (sql) => sql`source = 'rare'`],
    ['an address', { customerEmail: 'buyer7@x.sa' }, (sql) => sql`customer_email = 'buyer7@x.sa'`],
    ['a search of many', { search: 'b' }, (sql) => sql`customer_email like 'b%'`],
    ['a search of some', { search: '7' }, (sql) => sql`customer_name like 'Buyer 7%'`],
    ['a search', { search: '77 buyer' }, (sql) => sql`customer_name like 'Buyer 77%'`],
    [
      'a search in a branch',
      { search: 'buy', branchId },
      (sql) => sql`customer_email like 'b%' and destination_id = ${branchId}`,
    ],
    ['a search without matches', { search: 'uyer' }, (sql) => sql`false`],
    ['amounts', { minAmount: 10, maxAmount: 700 }, (sql) => sql`total_amount between 10 and 700`],
    ['paid', { paymentStatus: 'paid', currency: 'SAR' }, (sql) => sql`payment_status = 'paid'`],
    ['nothing', { source: 'none' }, (sql) => sql`false`],
  ];
  const sorts = ORDER_SORTS.flatMap((column) => [
    { column, descending: false },
    { column, descending: true },
  ]);
  const cases = where.flatMap(([name, filter, condition]) => sorts.map((sort) => ({ name, filter, condition, sort })));

  test.each(cases)('$name by $sort.column, descending: $sort.descending', async ({ filter, condition, sort }) => {
    const { sql } = service;
    const column = sort.column === 'created' ? 'created_at' : sort.column;
    const direction = sort.descending ? sql`desc` : sql`asc`;
    const expected = (
      await sql<{ id: string }[]>`
        select id from orders where organization_id = ${shop.id} and ${condition(sql)}
        order by ${sql(column)} ${direction}, id ${direction}`
    ).map((row) => row.id);
    const pages = Math.ceil(expected.length / 50);
    for (const page of new Set([1, 2, Math.ceil(pages / 2), pages - 1, pages, pages + 1].filter((one) => one > 0))) {
      const found = await findOrderPage(sql, filterOf(filter), sort, { page, limit: 50 }, pieceOf('order'));
      expect(found.pages.total_items).toBe(expected.length);
      expect(found.orders.map((order) => order.id)).toEqual(expected.slice((page - 1) * 50, page * 50));
    }
  });
});

describe('lists whose cost grows with the history are expensive reads', () => {
  test.each<[string, TypedFilter, Partial<OrderSort>, number, ('quick' | 'slow')[]]>([
    ['the first page', {}, {}, 1, ['quick']],
    ['the last page', {}, {}, COUNT / 50, ['quick']],
    ['a page in the middle', {}, {}, COUNT / 100, ['quick', 'slow']],
    ['the first page by amount', {}, { column: 'total_amount' }, 1, ['quick']],
    ['the first page by name', {}, { column: 'customer_name' }, 1, ['quick']],
    ['a status', { orderStatus: 'DELIVERED' }, {}, 1, ['quick']],
    ['a frequent status by name', { orderStatus: 'DELIVERED' }, { column: 'customer_name' }, 1, ['quick', 'slow']],
    ['a rare source by name', { source: 'rare' }, { column: 'customer_name' }, 1, ['quick']],
    ['an address', { customerEmail: 'buyer7@x.sa' }, { column: 'total_amount' }, 1, ['quick']],
    ['a day', { from: new Date('2026-01-02T00:00:00Z'), to: new Date('2026-01-03T00:00:00Z') }, {}, 1, ['quick']],
    ['all of time', { from: new Date('2020-01-02T00:00:00Z') }, {}, 1, ['quick', 'slow']],
    ['a search', { search: 'buyer 77' }, {}, 1, ['quick']],
    ['a search of one letter', { search: 'b' }, { column: 'customer_name' }, 50, ['quick', 'slow']],
    ['a payment status', { paymentStatus: 'paid' }, {}, 1, ['quick', 'slow']],
    ['a payment status that no order has', { paymentStatus: 'none' }, {}, 1, ['quick']],
  ])('%s', async (_name, filter, sort, page, classes) => {
    const { sql, used } = trackReads(service.sql);
    await findOrderPage(sql, filterOf(filter), { ...newest, ...sort }, { page, limit: 50 }, pieceOf('order'));
    expect([...used].sort()).toEqual(classes);
  });
});

type Plan = { Plans?: Plan[]; 'Distributed Query'?: { Job: { Tasks: { 'Remote Plan': [{ Plan: Plan }][] }[] } } };

/** Of the server that has the rows: on a cluster a node, where names end with the number of the shard. */
function planOf([row]: readonly { 'QUERY PLAN': [{ Plan: Plan }] }[]): ReplyBody {
  const plan = row?.['QUERY PLAN'][0].Plan;
  const remote = plan?.['Distributed Query']?.Job.Tasks[0]?.['Remote Plan'][0]?.[0].Plan;
  return JSON.parse(JSON.stringify(remote ?? plan).replaceAll(/_\d{6,}"/g, '"'));
}

describe('an index serves', () => {
  test.each([
    ['the newest', 'orders_newest', '', 'created_at desc, id desc'],
    ['amounts', 'orders_by_amount', '', 'total_amount, id'],
    ['amounts descending', 'orders_by_amount', '', 'total_amount desc, id desc'],
    ['names', 'orders_by_customer', '', 'customer_name, id'],
    ['names descending, the nameless first', 'orders_by_customer', '', 'customer_name desc, id desc'],
    ["a source's newest", 'orders_of_source', "and source = 'rare'", 'created_at desc, id desc'],
    ["a branch's newest", 'orders_of_branch', `and destination_id = '${branchId}'`, 'created_at desc, id desc'],
  ])('%s', async (_name, index, condition, order) => {
    const explained = await service.sql.unsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
      `explain (format json) select id from orders where organization_id = '${shop.id}' ${condition}
       order by ${order} limit 50`,
    );
    expect(planOf(explained).Plans[0]).toMatchObject({ 'Node Type': 'Index Only Scan', 'Index Name': index });
  });

  test.each([
    ['buyer 77', ['orders_by_word']],
    ['buyer', ['orders_by_email', 'orders_by_source_reference', 'orders_by_word', 'orders_source_transaction']],
    ['0501234567', ['orders_by_email', 'orders_by_phone', 'orders_by_phone_end', 'orders_by_word']],
    ['+966501234567', ['orders_by_phone']],
    ['DK-261115-7F3K9Q', ['orders_by_code_end', 'orders_by_source_reference', 'orders_source_transaction']],
    ['7F3K9Q', ['orders_by_code_end', 'orders_by_word']],
    [
      '019a95f1-2b3c-7d4e-8f50-617283940a1b',
      ['orders_by_source_reference', 'orders_pkey', 'orders_source_transaction'],
    ],
  ])('each kind of text that %j may be', async (search, indexes) => {
    const { sql } = service;
    const { search: terms } = filterOf({ search });
    const explained = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
      explain (format json) select from orders o where o.organization_id = ${shop.id} and (${searchMatches(sql, terms as OrderSearch)})`;
    const text = JSON.stringify(planOf(explained));
    expect(indexes.filter((index) => !text.includes(`"Index Name":"${index}"`))).toEqual([]);
    expect(text).not.toContain('Seq Scan');
  });
});

describe('a page of large orders', () => {
  const LARGE = 200_000;
  let large: TestOrganization;
  beforeAll(async () => {
    large = await testOrganization(service.sql);
    await fillOrders(service.sql, { organizationId: large.id, count: 100, lineLength: LARGE });
  });

  test.each([
    ['', (order: ReplyBody) => order.order.products[0].name],
    ['&format=canonical', (order: ReplyBody) => order.lines[0].name],
    ['&format=canonical&include=raw', (order: ReplyBody) => order.raw.vendor],
  ])('is complete, in order and with exact totals: %s', async (query, longText) => {
    const { status, headers, body } = await call(service.baseUrl, `GET /orders?limit=100&sort=customer_name${query}`, {
      token: large.owner.token,
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('transfer-encoding')).toBe('chunked');
    expect(body.pagination).toMatchObject({ page: 1, per_page: 100, total_items: 100, has_next: false });
    const expected = await service.sql<{ id: string }[]>`
      select id from orders where organization_id = ${large.id} order by customer_name, id`;
    expect(body.orders.map((one: ReplyBody) => (one.order ?? one).id)).toEqual(expected.map((row) => row.id));
    expect(body.orders.every((one: ReplyBody) => longText(one).length === LARGE)).toBe(true);
    const keys = Object.keys(body);
    expect(keys.slice(keys.indexOf('organization_id'))).toEqual(['organization_id', 'orders', 'pagination', 'meta']);
  });

  test('waits for a slot when others are being sent', async () => {
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => call(service.baseUrl, 'GET /orders?limit=20', { token: large.owner.token })),
    );
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
  });

  test('leaves out orders that left the branch meanwhile', async () => {
    const { token } = await testAccount(service.sql, large.id, 'member', { branchId });
    expect((await call(service.baseUrl, 'GET /orders?limit=100', { token })).body.orders).toEqual([]);
  });
});
