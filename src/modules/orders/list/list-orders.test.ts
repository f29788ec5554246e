import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { countRows, WHOLE_TENANT } from '../sql/counts.ts';
import { newOrder } from '../testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  const orders = [
    newOrder({ customer_name: 'Ahmed', customer_email: 'a@x.sa', total_amount: 10, order_status: 'RECEIVED' }),
    newOrder({
      customer_name: 'أحمد علي',
      customer_phone: '+966501112233',
      total_amount: 20,
      order_status: 'received',
    }),
    newOrder({ customer_name: 'Badr', receiver_name: 'Lama', total_amount: 30, payment_status: 'completed' }),
    newOrder({ customer_name: 'Camel', total_amount: 40, currency: 'usd', fulfillment_status: 'Full' }),
    newOrder({ source_transaction_id: 'FIND-ME-77', source: 'till-4', total_amount: 50 }),
  ];
  for (const body of orders) await as('POST /orders', { body });
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

async function amounts(query: string): Promise<number[]> {
  const { body, status } = await as(`GET /orders?${query}`);
  expect(status).toBe(200);
  expect(body.pagination.total_items).toBe(body.orders.length);
  return body.orders.map((event: ReplyBody) => event.order.total_amount);
}

describe('the envelope', () => {
  it('has its keys in order', async () => {
    const { body } = await as('GET /orders');
    expect(Object.keys(body)).toEqual([
      'spec_version',
      'event_type',
      'occurred_at',
      'organization_id',
      'orders',
      'pagination',
      'meta',
    ]);
    expect(body.event_type).toBe('orders.listed');
    expect(body.pagination).toEqual({
      page: 1,
      per_page: 50,
      total_items: 5,
      total_pages: 1,
      has_next: false,
      has_prev: false,
    });
  });

  it('has a canonical form', async () => {
    const { body } = await as('GET /orders?format=canonical');
    expect(Object.keys(body)).toEqual(['spec_version', 'organization_id', 'orders', 'pagination', 'meta']);
    expect(body.spec_version).toBe('2026-09-29');
    expect(body.orders[0]).not.toHaveProperty('raw');
    expect((await as('GET /orders?format=canonical&include=raw')).body.orders[0]).toHaveProperty('raw');
  });
});

describe('page and limit', () => {
  it.each([
    ['page=0', 1, 50],
    ['page=-1', 1, 50],
    ['page=abc', 1, 50],
    ['page=2&page=3', 1, 50],
    ['limit=5&limit=6', 1, 50],
    ['page=1.5', 1, 50],
    ['limit=0', 1, 50],
    ['limit=101', 1, 50],
    ['limit=many', 1, 50],
    ['limit=100', 1, 100],
    ['page=99999999999999999999', 1, 50],
    ['page=90071992547410', 1, 50],
    ['page=90071992547409&limit=100', 90_071_992_547_409, 100],
    ['page=90071992547409&search=zzzz', 90_071_992_547_409, 50],
    ['limit=2&page=2', 2, 2],
  ])('%s returns page %i with a limit of %i', async (query, page, perPage) => {
    const { body, status } = await as(`GET /orders?${query}`);
    expect(status).toBe(200);
    expect(body.pagination).toMatchObject({ page, per_page: perPage });
  });

  it('returns every order exactly once over all pages, from either end', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { body } = await as(`GET /orders?limit=2&page=${page}`);
      seen.push(...body.orders.map((event: ReplyBody) => String(event.order.id)));
      expect(body.pagination).toMatchObject({ total_pages: 3, has_next: page < 3, has_prev: page > 1 });
    }
    const all = (await as('GET /orders')).body.orders.map((event: ReplyBody) => String(event.order.id));
    expect(seen).toEqual(all);
    expect((await as('GET /orders?limit=2&page=4')).body.orders).toEqual([]);
  });
});

describe('filters', () => {
  it.each([
    ['status=RECEIVED', [50, 40, 30, 10]],
    ['status=received', [20]],
    ['payment_status=completed', [30]],
    ['fulfillment_status=Full', [40]],
    ['source=till-4', [50]],
    ['customer_email=a@x.sa', [10]],
    ['currency=USD', [40]],
    ['currency=usd', [40]],
    ['min_amount=20&max_amount=40', [40, 30, 20]],
    ['payment=paid', [30]],
    ['payment=unknown', []],
    ['payment=pending&min_amount=40', [50, 40]],
    ['channel=api', [50, 40, 30, 20, 10]],
    ['channel=till-4', []],
    ['channel=api&payment=paid&status=RECEIVED', [30]],
    ['search=ahm', [10]],
    ['search=%D8%A7%D8%AD%D9%85%D8%AF', [20]],
    ['search=0501112233', [20]],
    ['search=2233', [20]],
    ['search=lama', [30]],
    ['search=find-me', [50]],
    ['search=A@X.SA', [10]],
    ['search=unknown-person', []],
    ['from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z', []],
    ['from=2020-01-01T00:00:00Z&status=received', [20]],
    ['sort=total_amount', [10, 20, 30, 40, 50]],
    ['sort=-total_amount', [50, 40, 30, 20, 10]],
    ['sort=created', [10, 20, 30, 40, 50]],
    ['status=RECEIVED&currency=SAR&source=api', [30, 10]],
  ])('%s', async (query, expected) => expect(await amounts(query)).toEqual(expected));

  it('finds an order by its id, its number and the end of its number', async () => {
    const { id, order_code } = (await as('GET /orders?status=received')).body.orders[0].order;
    for (const text of [id, order_code, order_code.toLowerCase(), order_code.slice(-6)])
      expect([text, await amounts(`search=${text}`)]).toEqual([text, [20]]);
  });

  it.each([
    'sort=created_at',
    'sort=password',
    'from=yesterday',
    'to=2026-02-30T00:00:00Z',
    'min_amount=x',
    'branch_id=x',
    'payment=gold',
  ])('400 for %s', async (query) => expect((await as(`GET /orders?${query}`)).status).toBe(400));
});

describe('branch_id', () => {
  it('shows the orders of one branch, and refuses another branch to an account confined to one', async () => {
    const olaya = newId();
    const malaz = newId();
    for (const id of [olaya, malaz]) {
      await service.sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
                        values (${shop.id}, ${id}, ${id}, 'Branch', now(), now())`;
    }
    const { body } = await as('POST /orders', { body: newOrder({ destination: olaya, total_amount: 60 }) });
    expect(await amounts(`branch_id=${olaya}`)).toEqual([60]);
    expect(await amounts(`branch_id=${olaya.toUpperCase()}&channel=api`)).toEqual([60]);
    expect(await amounts(`branch_id=${malaz}`)).toEqual([]);
    const { token } = await testAccount(service.sql, shop.id, 'member', { branchId: malaz });
    expect((await as(`GET /orders?branch_id=${malaz}`, { token })).body.orders).toEqual([]);
    const refused = await as(`GET /orders?branch_id=${olaya}`, { token });
    expect([refused.status, refused.body.details]).toEqual([400, { branch_id: 'is not the branch of this account' }]);
    await as('DELETE /orders/bulk', { body: [body.data.id] });
  });
});

describe('totals', () => {
  it('equal a count after every kind of change', async () => {
    const tenant = await testOrganization(service.sql);
    const { token } = tenant.owner;
    const branches = await Promise.all(
      ['A', 'B'].map(async (ivId) => (await as('POST /branches', { token, body: { iv_id: ivId } })).body.data.id),
    );
    const step = fc.record({
      verb: fc.constantFrom('place', 'place', 'advance', 'replace', 'delete'),
      order_status: fc.constantFrom('pending', 'RECEIVED', 'DISPATCHED', 'DELIVERED', 'cancelled'),
      payment_status: fc.constantFrom('pending', 'completed', 'refunded'),
      currency: fc.constantFrom('SAR', 'AED'),
      destination: fc.constantFrom(undefined, ...branches.map(String)),
      which: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const { verb, which, ...fields } of steps) {
          const ids = (await service.sql`select id from orders where organization_id = ${tenant.id} order by id`).map(
            (row) => String(row.id),
          );
          const id = ids[which % Math.max(1, ids.length)] ?? 'none';
          const { order_status, payment_status } = fields;
          if (verb === 'place') await as('POST /orders', { token, body: newOrder(fields) });
          if (verb === 'advance')
            await as(`PATCH /orders/${id}/status`, { token, body: { order_status, payment_status } });
          if (verb === 'replace') await as(`PUT /orders/${id}`, { token, body: newOrder(fields) });
          if (verb === 'delete') await as('DELETE /orders/bulk', { token, body: [id] });
        }
        const maintained = await service.sql`
          select order_status, payment_status, currency, sum(total)::int as total
          from ${countRows(service.sql, tenant.id, null)} group by 1, 2, 3 having sum(total) <> 0 order by 1, 2, 3`;
        const counted = await service.sql`
          select order_status, payment_status, currency, count(*)::int as total from orders
          where organization_id = ${tenant.id} group by 1, 2, 3 order by 1, 2, 3`;
        expect([...maintained]).toEqual([...counted]);
        const keptByBranch = await service.sql`
          select destination_id, order_status, sum(total)::int as total from (
            select destination_id, order_status, total from order_counts
            where organization_id = ${tenant.id} and destination_id <> ${WHOLE_TENANT}
            union all
            select destination_id, order_status, by from order_count_deltas
            where organization_id = ${tenant.id} and destination_id is not null
          ) counts group by 1, 2 having sum(total) <> 0 order by 1, 2`;
        const countedByBranch = await service.sql`
          select destination_id, order_status, count(*)::int as total from orders
          where organization_id = ${tenant.id} and destination_id is not null group by 1, 2 order by 1, 2`;
        expect([...keptByBranch]).toEqual([...countedByBranch]);
        const { pagination } = (await as('GET /orders?status=RECEIVED', { token })).body;
        const received = counted
          .filter((row) => row.order_status === 'RECEIVED')
          .reduce((sum, row) => sum + row.total, 0);
        expect(pagination.total_items).toBe(received);
      }),
      { numRuns: 12 },
    );
  });
});

describe('infinite numbers', () => {
  it('are refused as filters but allowed as search text', async () => {
    expect((await as('GET /orders?min_amount=Infinity')).status).toBe(400);
    expect((await as('GET /orders?search=Infinity')).status).toBe(200);
  });
});
