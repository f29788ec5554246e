import { parse } from 'csv-parse/sync';
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
import { FORMULAS } from '../../../platform/csv/testing/formulas.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { type PastOrder, placeHistory } from '../place/place-history.ts';
import { newOrder } from '../testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;
const branch = newId();

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  const now = new Date();
  await service.sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
                    values (${shop.id}, ${branch}, 'B', 'Olaya', ${now}, ${now})`;
});

type CsvRow = Record<string, string>;

async function download(query = '', token = shop.owner.token) {
  const response = await fetch(`${service.baseUrl}/api/v1/orders/dashboard/export${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const rows = response.status === 200 ? (parse(bytes, { bom: true, columns: true }) as CsvRow[]) : [];
  return { status: response.status, headers: response.headers, bytes, rows };
}

async function place(fields: Record<string, unknown>): Promise<void> {
  const { status } = await call(service.baseUrl, 'POST /orders', { token: shop.owner.token, body: newOrder(fields) });
  expect(status).toBe(201);
}

async function placeMany(organizationId: string, count: number): Promise<void> {
  const past = Array.from({ length: count }, (_, index): PastOrder => {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 1000);
    return {
      order: { skus: ['P-1'], products: [{ product_id: 'P-1', sku_id: 'P-1' }], total_amount: index },
      stages: [{ at, order_status: 'DELIVERED', payment_status: 'paid', fulfillment_status: 'Full' }],
    };
  });
  await inTransaction(service.sql, (tx) => placeHistory(tx, organizationId, past, { eventsSince: new Date() }));
}

describe('GET /orders/dashboard/export', () => {
  test('returns only the column names when there are no orders', async () => {
    const { status, headers, bytes } = await download();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/);
    expect(headers.get('x-truncated')).toBe('false');
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.toString('utf8').split('\r\n')).toHaveLength(2);
    expect(bytes.toString('utf8')).toContain('id,order_code,created_at,');
  });

  test('contains the same values as the list, with Arabic, quotes and line breaks', async () => {
    await place({
      customer_name: 'نورة "أم سعد", العتيبي',
      comment: 'first line\nsecond line',
      total_amount: 28.75,
      customer_phone: '0501234567',
      destination: branch,
    });
    const { rows } = await download('?search=0501234567');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      customer_name: 'نورة "أم سعد", العتيبي',
      comment: 'first line\nsecond line',
      total_amount: '28.75',
      order_status: 'RECEIVED',
      status: 'received',
      store_name: 'Olaya',
      app_slug: 'api',
      skus: 'P-1_RUH',
    });
  });

  test.each(FORMULAS)('prefixes text that a spreadsheet would evaluate with an apostrophe: %j', async (text) => {
    await place({ customer_name: text, comment: text, receiver_name: 'formula' });
    const { rows } = await download('?search=formula');
    expect(rows.map((row) => row.customer_name)).toContain(`'${text}`);
    expect(rows.map((row) => row.comment)).toContain(`'${text}`);
  });

  test('applies the filters and the sort of the list', async () => {
    await place({ customer_email: 'filter@x.sa', total_amount: 3, order_status: 'ready' });
    await place({ customer_email: 'filter@x.sa', total_amount: 9, order_status: 'ready' });
    await place({ customer_email: 'filter@x.sa', total_amount: 6, order_status: 'DELIVERED' });
    const { rows } = await download('?customer_email=filter@x.sa&status=ready&sort=total_amount');
    expect(rows.map((row) => row.total_amount)).toEqual(['3', '9']);
    const listed = await call(service.baseUrl, 'GET /orders?limit=100', { token: shop.owner.token });
    const { rows: all } = await download();
    const ids = listed.body.orders?.map((event: ReplyBody) => event.order?.id);
    expect(all.map((row) => row.id)).toEqual(ids);
  });

  let full: Promise<TestOrganization> | undefined;
  /** A shop with as many orders as an export holds. Shared by the tests, because filling it takes seconds. */
  const fullShop = () => {
    full ??= testOrganization(service.sql).then(async (organization) => {
      await placeMany(organization.id, 5000);
      return organization;
    });
    return full;
  };

  test('stops at 5,000 rows and sets X-Truncated', async () => {
    const big = await fullShop();
    const whole = await download('', big.owner.token);
    expect([whole.rows.length, whole.headers.get('x-truncated')]).toEqual([5000, 'false']);
    await placeMany(big.id, 1);
    const cut = await download('?sort=created', big.owner.token);
    expect([cut.rows.length, cut.headers.get('x-truncated')]).toEqual([5000, 'true']);
    const newest = await download('?min_amount=4990', big.owner.token);
    expect([newest.rows.length, newest.headers.get('x-truncated')]).toEqual([10, 'false']);
  });

  test('releases its connection when the client disconnects', async () => {
    const big = await fullShop();
    const gone = Array.from({ length: 20 }, async () => {
      const leaving = new AbortController();
      const response = await fetch(`${service.baseUrl}/api/v1/orders/dashboard/export`, {
        headers: { authorization: `Bearer ${big.owner.token}` },
        signal: leaving.signal,
      });
      await response.body?.getReader().read();
      leaving.abort();
    });
    await Promise.all(gone);
    expect((await download('', big.owner.token)).rows).toHaveLength(5000);
    await expect
      .poll(async () => {
        const [row] = await service.sql<{ open: number }[]>`
          select count(*) as open from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`;
        return row?.open;
      })
      .toBe(0);
  });

  test('contains only the orders of the branch of a confined account', async () => {
    const { token } = await testAccount(service.sql, shop.id, 'member', { branchId: branch });
    const { rows } = await download('', token);
    expect(rows.map((row) => row.destination_id)).toEqual([branch]);
  });

  test('contains no orders of other tenants', async () => {
    const other = await testOrganization(service.sql);
    expect((await download('', other.owner.token)).rows).toEqual([]);
  });

  test('returns 403 for a viewer and 401 without a token', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await download('', viewer.token)).status).toBe(403);
    expect((await call(service.baseUrl, 'GET /orders/dashboard/export')).status).toBe(401);
  });

  test.each(['sort=sideways', 'min_amount=much', 'from=yesterday'])('refuses %s', async (query) => {
    expect((await download(`?${query}`)).status).toBe(400);
  });
});
