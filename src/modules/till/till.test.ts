import { beforeEach, describe, expect, it } from 'vitest';
import { testAccount, testOrganization } from '../../../test/harness/index.ts';
import { openTill } from './testing/open-till.ts';

const till = await openTill();
const { service, shop, ask, sell, setStock, stockOf, branchIds } = till;
const { sql } = service;
const milk = (quantity: number, more: object = {}) => ({ sku_iv_id: 'MILK_RUH-1', quantity, ...more });
const dates = (quantity: number) => ({ sku_iv_id: 'DATES_RUH-1', quantity });

beforeEach(() => setStock(100));

describe('POST /till/orders 201', () => {
  it('creates a paid, delivered till order that GET returns, and reduces the stock', async () => {
    const customer = { name: 'نورة', phone: '+966500000009' };
    const reply = await sell({ lines: [milk(2), dates(1)], discounts_amount: 7.25, customer });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'data', 'timestamp']);
    const { id, order_number, order } = reply.body.data;
    expect(order).toMatchObject({
      order_code: order_number,
      order_status: 'DELIVERED',
      payment_status: 'completed',
      fulfillment_status: 'Full',
      fulfillment_method: 'pickup',
      payment_method: 'cash',
      currency: 'SAR',
      destination_id: branchIds.get('RUH-1'),
      customer_name: 'نورة',
      customer_phone: '+966500000009',
      skus: ['MILK_RUH-1', 'DATES_RUH-1'],
      subtotal: 67.25,
      discounts_amount: 7.25,
      total_amount: 60,
      vat_amount: 7.83,
    });
    expect(order.products[0]).toEqual({
      product_id: 'MILK',
      sku_id: 'MILK_RUH-1',
      name: 'Milk',
      quantity: 2,
      price: 6,
      vat_value: 15,
      name_ar: 'حليب',
    });
    const read = await ask(`GET /orders/${id}`);
    expect(read.body).toMatchObject({ app_slug: 'till', organization_app_id: '', order });
    const canonical = await ask(`GET /orders/${id}?format=canonical`);
    expect(canonical.body.order).toMatchObject({
      status: 'delivered',
      payment: { status: 'paid' },
      channel: { app_slug: 'till', family: 'till', kind: 'point_of_sale', source: 'till' },
    });
    expect((await ask('GET /orders?source=till')).body.pagination.total_items).toBe(1);
    expect([await stockOf('MILK_RUH-1'), await stockOf('DATES_RUH-1'), await stockOf('MILK_JED-1')]).toEqual([
      98, 99, 100,
    ]);
    const [entry] = await sql`
      select action, resource, resource_id, actor_id from audit_entries
      where organization_id = ${shop.id} and request_id = ${reply.headers.get('x-request-id')}`;
    expect(entry).toEqual({ action: 'create', resource: 'Orders', resource_id: id, actor_id: shop.owner.userId });
    await expect
      .poll(async () =>
        (await ask(`GET /orders/${id}/timeline`)).body.events.map((event: { type: string }) => event.type),
      )
      .toEqual(['order.created']);
  });

  it("accepts a barcode, and prefers the line's price to the SKU's, and the SKU's to the product's", async () => {
    await setStock(10, 9.99);
    const lines = [{ barcode: '628BREAD', quantity: 0.5 }, milk(1, { price: 0 }), milk(3)];
    const { body } = await sell({ lines });
    const prices = body.data.order.products.map((line: { price: number }) => line.price);
    expect(prices).toEqual([9.99, 0, 9.99]);
    expect(body.data.order.total_amount).toBe(34.97);
    expect([await stockOf('BREAD_RUH-1'), await stockOf('MILK_RUH-1')]).toEqual([9.5, 6]);
  });

  it("applies a product's own VAT rate, and rounds to the currency of the organization", async () => {
    await sql`update products set vat_value = 5 where organization_id = ${shop.id} and iv_id = 'DATES'`;
    await sql`update organizations set currency = 'KWD' where id = ${shop.id}`;
    try {
      const { body } = await sell({ lines: [milk(1, { price: 2.3 }), { ...dates(1), price: 2.1 }] });
      expect(body.data.order).toMatchObject({ currency: 'KWD', total_amount: 4.4, vat_amount: 0.4 });
      const odd = await sell({ lines: [milk(1, { price: 0.1115 })] });
      expect(odd.body.data.order).toMatchObject({ total_amount: 0.112, vat_amount: 0.015 });
    } finally {
      await sql`update products set vat_value = 0 where organization_id = ${shop.id}`;
      await sql`update organizations set currency = 'SAR' where id = ${shop.id}`;
    }
  });

  it('takes stock below zero only if that is allowed', async () => {
    await setStock(1);
    const refused = await sell({ lines: [milk(1), milk(1), dates(1)] });
    expect([refused.status, refused.body.error]).toEqual([409, 'Out of stock']);
    expect(refused.body.details).toEqual({ 'MILK_RUH-1': { requested: 2, available: 1 } });
    expect([await stockOf('MILK_RUH-1'), await stockOf('DATES_RUH-1')]).toEqual([1, 1]);
    expect((await sell({ lines: [milk(3)], allow_negative_stock: true })).status).toBe(201);
    expect(await stockOf('MILK_RUH-1')).toBe(-2);
  });

  it('sells once for repeats under one Idempotency-Key', async () => {
    const options = { headers: { 'idempotency-key': 'sale-1' } };
    const [one, ...others] = await Promise.all(Array.from({ length: 4 }, () => sell({ lines: [milk(1)] }, options)));
    expect(one?.status).toBe(201);
    expect(others.every((reply) => reply.text === one?.text && reply.status === 201)).toBe(true);
    expect(await stockOf('MILK_RUH-1')).toBe(99);
    await setStock(0);
    expect((await sell({ lines: [milk(1)] }, options)).headers.get('idempotency-hit')).toBe('true');
    const another = await sell({ lines: [milk(2)] }, options);
    expect([another.status, another.body.error]).toEqual([422, 'Idempotency key reused']);
  });
});

describe('POST /till/orders is refused', () => {
  const NOT_HERE = 'does not exist in this branch';
  it.each([
    ['an unknown SKU', { lines: [milk(1), { sku_iv_id: 'NONE', quantity: 1 }] }, { 'lines.1.sku_iv_id': NOT_HERE }],
    ["another branch's SKU", { lines: [{ sku_iv_id: 'MILK_JED-1', quantity: 1 }] }, { 'lines.0.sku_iv_id': NOT_HERE }],
    ['an unknown barcode', { lines: [{ barcode: '1', quantity: 1 }] }, { 'lines.0.barcode': NOT_HERE }],
    ['neither', { lines: [{ quantity: 1 }] }, { 'lines.0.sku_iv_id': 'is required, or a barcode' }],
    ['both, of two', { lines: [milk(1, { barcode: '628BREAD' })] }, { 'lines.0.barcode': 'belongs to another SKU' }],
    ['an unknown branch', { branch_iv_id: 'NONE', lines: [milk(1)] }, { branch_iv_id: 'does not exist' }],
    ['nothing sold', { lines: [] }, { lines: expect.any(String) }],
    ['none of it', { lines: [milk(0)] }, { 'lines.0.quantity': expect.any(String) }],
    ['a negative quantity', { lines: [milk(-1)] }, { 'lines.0.quantity': expect.any(String) }],
    ['crumbs', { lines: [milk(1e-7)] }, { 'lines.0.quantity': 'must have at most 6 digits behind the point' }],
    ['a negative price', { lines: [milk(1, { price: -1 })] }, { 'lines.0.price': expect.any(String) }],
    [
      'a discount above the sum',
      { lines: [milk(1)], discounts_amount: 6.01 },
      { discounts_amount: 'must be at most the sum of the lines, 6.00' },
    ],
    [
      'half a halala off',
      { lines: [milk(1)], discounts_amount: 0.005 },
      { discounts_amount: 'must have at most 2 digits behind the point' },
    ],
    ['an unknown way to pay', { lines: [milk(1)], payment_method: 'gold' }, { payment_method: expect.any(String) }],
    ['more than there is', { lines: [milk(1e9, { price: 1e12 })] }, { lines: 'must add up to at most 1000000000000' }],
  ])('422: %s', async (_name, body, details) => {
    const reply = await sell(body);
    expect([reply.status, reply.body.details]).toEqual([422, details]);
    expect(await stockOf('MILK_RUH-1')).toBe(100);
  });

  it('returns 422 for a SKU that is not on sale', async () => {
    await ask('PATCH /skus/BREAD_RUH-1', { body: { is_enabled: false } });
    const reply = await sell({ lines: [{ barcode: '628BREAD', quantity: 1 }] });
    expect([reply.status, reply.body.details]).toEqual([422, { 'lines.0.barcode': 'is not on sale' }]);
    await ask('PATCH /skus/BREAD_RUH-1', { body: { is_enabled: true } });
  });

  it('never returns 500 for any body', async () => {
    const texts = ['\u0000', '\ud800', '', ' ', '__proto__', '\u202e', 'م'.repeat(50)];
    const bodies = [
      ...texts.flatMap((text) => [
        { lines: [{ sku_iv_id: text, quantity: 1 }] },
        { lines: [{ barcode: text, quantity: 1 }] },
        { branch_iv_id: text, lines: [milk(1)] },
        { lines: [milk(1)], customer: { name: text, phone: text, email: text } },
      ]),
      ...[5e-324, 1e-6, 1e9, 1e308].map((quantity) => ({ lines: [milk(quantity)] })),
      ...[5e-324, 1e12, 1e-300].map((price) => ({ lines: [milk(1, { price })] })),
      { lines: Array.from({ length: 1_000 }, () => milk(0.001)) },
    ];
    for (const body of bodies) {
      const { status, text } = await sell(body);
      expect([201, 400, 409, 422], `${JSON.stringify(body).slice(0, 200)} ${text}`).toContain(status);
      if (status !== 201) continue;
      const { data } = JSON.parse(text);
      expect((await ask(`POST /orders/${data.id}/invoice`)).status).toBe(201);
    }
  });

  it('returns 401 or 403 without permission, and refuses another branch and another organization', async () => {
    const lines = [milk(1)];
    expect((await sell({ lines }, { token: undefined })).status).toBe(401);
    const viewer = await testAccount(sql, shop.id, 'viewer');
    expect((await sell({ lines }, { token: viewer.token })).status).toBe(403);
    const confined = await testAccount(sql, shop.id, 'member', { branchId: branchIds.get('JED-1') });
    const elsewhere = await sell({ lines }, { token: confined.token });
    expect([elsewhere.status, elsewhere.body.details]).toEqual([
      422,
      { branch_iv_id: 'is not the branch of this account' },
    ]);
    const here = { branch_iv_id: 'JED-1', lines: [{ sku_iv_id: 'MILK_JED-1', quantity: 1 }] };
    expect((await sell(here, { token: confined.token })).status).toBe(201);
    const otherShop = await testOrganization(sql);
    const unknown = await sell({ lines }, { token: otherShop.owner.token });
    expect([unknown.status, unknown.body.details]).toEqual([422, { branch_iv_id: 'does not exist' }]);
  });
});

it('reduces the stock by exactly what 32 concurrent cashiers sold, and never below zero', async () => {
  await setStock(40);
  const cashiers = Array.from({ length: 32 }, async (_, cashier) => {
    const sold = { MILK: 0, DATES: 0, BREAD: 0 };
    const refused: number[] = [];
    for (let bill = 0; bill < 3; bill += 1) {
      // In every order of lines: locking in the order of the request would deadlock.
      const names = (['MILK', 'DATES', 'BREAD'] as const).toSorted(() => ((cashier + bill) % 2 === 0 ? 1 : -1));
      const wanted = names.slice(0, 1 + ((cashier + bill) % 3)).map((name, index) => ({ name, quantity: index + 1 }));
      const lines = wanted.map(({ name, quantity }) => ({ sku_iv_id: `${name}_RUH-1`, quantity }));
      const { status } = await sell({ lines });
      if (status === 201) for (const { name, quantity } of wanted) sold[name] += quantity;
      else refused.push(status);
    }
    return { sold, refused };
  });
  const ended = await Promise.all(cashiers);
  expect(new Set(ended.flatMap(({ refused }) => refused))).toEqual(new Set([409]));
  for (const name of ['MILK', 'DATES', 'BREAD'] as const) {
    const sold = ended.reduce((sum, one) => sum + one.sold[name], 0);
    const left = (await stockOf(`${name}_RUH-1`)) ?? -1;
    expect({ name, left }).toEqual({ name, left: 40 - sold });
    expect(left).toBeGreaterThanOrEqual(0);
  }
});
