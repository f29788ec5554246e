import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  commercialAccount,
  type ReplyBody,
  testAccount,
  testOrganization,
  testShop,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { idTag } from '../../platform/text/search-words.ts';
import { salesCaughtUp } from '../sales/testing/caught-up.ts';
import { customerQuery } from './customer-search.ts';

const olaya = newId();
const malaz = newId();

const at = (hour: number) => new Date(Date.UTC(2026, 10, 15, hour));
const clock = movableClock(at(0));
const { service, shop, ask } = await testShop({}, { clock });

beforeAll(async () => {
  for (const id of [olaya, malaz]) {
    await service.sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
                      values (${shop.id}, ${id}, ${id}, 'Branch', ${at(0)}, ${at(0)})`;
  }
  const orders = [
    { customer_name: 'Noura', customer_phone: '0501234567', total_amount: 10.1, destination: olaya },
    { customer_name: 'نورة العتيبي', customer_phone: '+966 50 123 4567', total_amount: 20.2, destination: malaz },
    { customer_phone: '00966501234567', total_amount: 99, order_status: 'CANCELLED', destination: malaz },
    { customer_name: 'Sara', customer_email: 'Sara@Example.com', total_amount: 5, payment_status: 'refunded' },
    { customer_name: 'Badr', customer_phone: '0559998877', customer_email: 'badr@example.com', destination: olaya },
    { customer_name: 'Anonymous', total_amount: 7 },
  ];
  for (const [index, order] of orders.entries()) {
    clock.moveTo(at(index + 1));
    await place(order);
  }
  await salesCaughtUp(service.sql);
});

const as = (target: string, token = shop.owner.token, body?: unknown) => ask(target, { token, body });

async function place(fields: Record<string, unknown>): Promise<string> {
  const products = [{ product_id: 'P', sku_id: 'S', price: 1 }];
  const body = { order_status: 'RECEIVED', fulfillment_status: 'None', skus: ['S'], products, ...fields };
  const created = await as('POST /orders', shop.owner.token, body);
  expect(created.status).toBe(201);
  return created.body.data?.id ?? '';
}

async function list(query = '', token = shop.owner.token): Promise<ReplyBody> {
  const { status, body } = await as(`GET /customers${query}`, token);
  expect(status).toBe(200);
  expect(body.count).toBe(body.data?.length);
  return body;
}
const names = (body: ReplyBody) => body.data?.map((row: ReplyBody) => row.name);

describe('GET /customers', () => {
  test('returns the list envelope, latest order first', async () => {
    const body = await list();
    expect(body).toMatchObject({ count: 3, total_count: 3, page: 1, limit: 20, has_next: false, meta: {} });
    expect(names(body)).toEqual(['Badr', 'Sara', 'نورة العتيبي']);
  });

  test('counts one customer for every spelling of the telephone; cancelled orders count but add no amount', async () => {
    const { data } = await list('?search=0501234567');
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'نورة العتيبي',
        phone: '00966501234567',
        email: null,
        orders: 3,
        spent: 30.3,
        currency: 'SAR',
        first_order_at: at(1).toISOString(),
        last_order_at: at(3).toISOString(),
      },
    ]);
  });

  test.each([
    ['نوره', 1],
    ['050123', 1],
    ['966501234567', 1],
    ['+9665', 2],
    ['050 123 4567', 1],
    ['+966 50', 1],
    ['4567', 1],
    ['العتيبي', 1],
    ['العتيبي نورة', 1],
    ['example', 0],
    ['ample', 0],
    ['8 9 7', 0],
    ['SARA@example', 1],
    ['badr', 1],
    ['%', 0],
    ['_', 0],
    ['anonymous', 0],
  ])('search=%s finds %i', async (search, found) => {
    const body = await list(`?search=${encodeURIComponent(search)}`);
    expect([body.count, body.total_count]).toEqual([found, found]);
  });

  test.each([
    ['name', ['Badr', 'Sara', 'نورة العتيبي']],
    ['-orders', ['نورة العتيبي']],
    ['-spent', ['نورة العتيبي']],
    ['first_order_at', ['نورة العتيبي', 'Sara', 'Badr']],
    ['last_order_at', ['نورة العتيبي', 'Sara', 'Badr']],
  ])('sort=%s', async (sort, first) => {
    expect(names(await list(`?sort=${sort}`)).slice(0, first.length)).toEqual(first);
  });

  test('is paginated', async () => {
    const first = await list('?limit=2');
    const second = await list('?limit=2&page=2');
    expect([first.has_next, second.has_next]).toEqual([true, false]);
    expect([...names(first), ...names(second)]).toEqual(names(await list()));
    expect(await list('?page=9')).toMatchObject({ count: 0, total_count: 3, has_next: false });
  });

  test.each(['page=0', 'page=x', 'limit=101', 'limit=0', 'sort=phone', 'sort=id;drop', `search=${'a'.repeat(256)}`])(
    '%s is refused',
    async (query) => {
      const { status, body } = await as(`GET /customers?${query}`);
      expect([status, body.code]).toEqual([400, 400]);
      expect(Object.keys(body.details ?? {})).toEqual([query.split('=')[0]]);
    },
  );
});

describe('GET /customers/{id}', () => {
  test('returns a customer', async () => {
    const [row] = (await list('?search=badr')).data ?? [];
    const { status, body } = await as(`GET /customers/${row?.id}`);
    expect([status, body]).toEqual([200, row]);
  });

  test.each([newId(), 'no-id', '%00'.slice(1)])('returns 404 for %s', async (id) => {
    const { status, body } = await as(`GET /customers/${id}`);
    expect([status, body]).toEqual([404, { code: 404, error: 'Customer not found', details: { id } }]);
  });
});

describe('a customer changes with the orders', () => {
  test('disappears with the last order and returns with the next', async () => {
    const before = await list();
    const id = await place({ customer_name: 'Once', customer_phone: '0533333333', total_amount: 8 });
    await salesCaughtUp(service.sql);
    const [once] = (await list('?search=0533333333')).data ?? [];
    expect(once).toMatchObject({ name: 'Once', orders: 1, spent: 8 });
    expect((await list()).total_count).toBe(Number(before.total_count) + 1);

    await as('DELETE /orders/bulk', shop.owner.token, [id]);
    await salesCaughtUp(service.sql);
    expect((await as(`GET /customers/${once?.id}`)).status).toBe(404);
    expect(await list()).toEqual(before);
  });

  test('has the currency of the latest order and adds up only that currency', async () => {
    clock.moveTo(at(10));
    const first = await place({ customer_email: 'two@example.com', total_amount: 100, currency: 'USD' });
    clock.moveTo(at(11));
    const second = await place({ customer_email: 'two@example.com', total_amount: 15, currency: 'SAR' });
    await salesCaughtUp(service.sql);
    expect((await list('?search=two@example.com')).data?.[0]).toMatchObject({ orders: 2, spent: 15, currency: 'SAR' });
    await as('DELETE /orders/bulk', shop.owner.token, [second]);
    await salesCaughtUp(service.sql);
    expect((await list('?search=two@example.com')).data?.[0]).toMatchObject({ orders: 1, spent: 100, currency: 'USD' });
    await as('DELETE /orders/bulk', shop.owner.token, [first]);
    await salesCaughtUp(service.sql);
  });
});

test('what a customer has spent is rounded to the digits of the currency as a sum', async () => {
  clock.moveTo(at(12));
  const ids = [];
  for (const total_amount of [1.004, 1.004, 1.004])
    ids.push(await place({ customer_email: 'fine@example.com', total_amount }));
  await salesCaughtUp(service.sql);
  const [listed] = (await list('?search=fine@example.com')).data ?? [];
  expect(listed).toMatchObject({ orders: 3, spent: 3.01 });
  expect((await as(`GET /customers/${listed?.id}`)).body).toMatchObject({ spent: 3.01 });
  expect((await as('GET /customers/export?search=fine@example.com')).text).toContain(',3,3.01,SAR,');
  await as('DELETE /orders/bulk', shop.owner.token, ids);
  await salesCaughtUp(service.sql);
});

describe('access to customers', () => {
  test('shows a confined account the customers of its branch, with their orders there', async () => {
    const { token } = await testAccount(service.sql, shop.id, 'member', { branchId: olaya });
    const body = await list('', token);
    expect(body.total_count).toBe(2);
    expect(names(body)).toEqual(['Badr', 'Noura']);
    expect(body.data?.[1]).toMatchObject({
      phone: '0501234567',
      orders: 1,
      spent: 10.1,
      last_order_at: at(1).toISOString(),
    });
    expect(names(await list(`?search=${encodeURIComponent('نورة')}`, token))).toEqual([]);
    const [sara] = (await list('?search=sara')).data ?? [];
    expect((await as(`GET /customers/${sara?.id}`, token)).status).toBe(404);
  });

  test('shows another tenant nothing', async () => {
    const other = await testOrganization(service.sql);
    expect(await list('', other.owner.token)).toMatchObject({ data: [], total_count: 0 });
    const [row] = (await list()).data ?? [];
    expect((await as(`GET /customers/${row?.id}`, other.owner.token)).status).toBe(404);
  });

  test('is allowed to a viewer, and refused without a token, to an operator and without the grant', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await as('GET /customers', viewer.token)).status).toBe(200);
    expect((await call(service.baseUrl, 'GET /customers')).status).toBe(401);
    const operator = await commercialAccount(service.sql);
    expect((await as('GET /customers', operator.token)).status).toBe(403);
    const shut = await testAccount(service.sql, shop.id, 'member', { withheld: ['read:Orders'] });
    expect((await as('GET /customers', shut.token)).status).toBe(403);
  });
});

describe('GET /customers/export', () => {
  const download = async (query = '', token = shop.owner.token) => {
    const { status, headers, text } = await as(`GET /customers/export${query}`, token);
    const rows = status === 200 ? (parse(text, { bom: true, columns: true }) as Record<string, string>[]) : [];
    return { status, headers, rows };
  };

  test('has the rows of the list in its order, with the search of the list', async () => {
    const { headers, rows } = await download('?sort=name');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="customers-2026-11-15\.csv"$/);
    expect(headers.get('x-truncated')).toBe('false');
    const { data } = await list('?sort=name');
    expect(rows.map(({ id }) => id)).toEqual(data?.map((row: ReplyBody) => row.id));
    expect((await download('?search=badr')).rows).toMatchObject([
      { name: 'Badr', email: 'badr@example.com', orders: '1' },
    ]);
  });

  test('is confined to a branch, and refused without the export grant and without a token', async () => {
    const { token } = await testAccount(service.sql, shop.id, 'member', { branchId: malaz });
    expect((await download('', token)).rows).toHaveLength(1);
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await download('', viewer.token)).status).toBe(403);
    expect((await call(service.baseUrl, 'GET /customers/export')).status).toBe(401);
    expect((await download('?sort=sideways')).status).toBe(400);
  });
});

test('searches many customers through the index of words', async () => {
  const branchId = newId();
  const scope = { organizationId: shop.id, branchId };
  const tag = idTag(shop.id) + idTag(branchId);
  await service.sql`
    insert into customers (organization_id, branch_id, id, name, orders, spent, currency, first_order_at, last_order_at,
                           search_words)
    select ${shop.id}, ${branchId}, gen_random_uuid(), 'n', 1, 1, 'SAR', ${at(0)}, ${at(0)},
           array_to_tsvector(array[${tag} || md5(n::text)])
    from generate_series(1, 20000) n`;
  await service.sql`vacuum (analyze) customers`;
  const plan = await service.sql`
    explain select 1 from customers
    where organization_id = ${shop.id} and branch_id = ${branchId}
      and search_words @@ (select ${customerQuery(scope, 'abcde', 'Asia/Riyadh') ?? ''}::tsquery)`;
  expect(JSON.stringify(plan)).toContain('customers_by_word');
});
