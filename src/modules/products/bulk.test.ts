import { describe, expect, it } from 'vitest';
import { call, testAccount, testOrganization, testShop } from '../../../test/harness/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import { saveProducts } from './save-products.ts';

const { service, shop, ask } = await testShop();
const asOwner = (target: string, body?: unknown, headers?: Record<string, string>) => ask(target, { body, headers });

type Outcome = { succeeded: number; failed: number; errors: Record<string, string> };

async function bulk(mode: string, products: unknown[]): Promise<Outcome> {
  const { status, body } = await asOwner('POST /products/bulk', { mode, products });
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, timestamp: expect.any(String) });
  expect(body.message).toBe(`${body.data.succeeded} of ${products.length} products saved`);
  return body.data as unknown as Outcome;
}

const read = async (ivId: string) => (await asOwner(`GET /products/code/${ivId}`)).body;
const ok = (succeeded: number): Outcome => ({ succeeded, failed: 0, errors: {} });

describe('mode create', () => {
  it('creates what is new with its SKUs and fails what exists', async () => {
    await asOwner('POST /branches', { iv_id: 'RUH' });
    expect(
      await bulk('create', [
        { iv_id: 'c1', name_en: 'One' },
        { iv_id: 'c2', average_price: 2.5 },
      ]),
    ).toEqual(ok(2));
    expect(await bulk('create', [{ iv_id: 'c2', name_en: 'Changed' }, { iv_id: 'c3' }])).toEqual({
      succeeded: 1,
      failed: 1,
      errors: { c2: 'Product iv_id already exists' },
    });
    expect(await read('c1')).toMatchObject({ name_en: 'One', average_price: 0, is_enabled: true });
    expect(await read('c2')).toMatchObject({ name_en: '', average_price: 2.5 });
    const skus = await service.sql`select iv_id from skus where organization_id = ${shop.id} order by iv_id`;
    expect(skus.map((sku) => sku.iv_id)).toEqual(['c1_RUH', 'c2_RUH', 'c3_RUH']);
  });

  it('fails the second of two with one iv_id', async () => {
    const outcome = await bulk('create', [
      { iv_id: 'd1', name_en: 'first' },
      { iv_id: 'd1', name_en: 'second' },
    ]);
    expect(outcome).toEqual({ succeeded: 1, failed: 1, errors: { d1: 'Duplicate iv_id in this request' } });
    expect((await read('d1')).name_en).toBe('first');
  });

  it('takes the second of two when the first is wrong', async () => {
    const outcome = await bulk('create', [
      { iv_id: 'd2', vat_value: -1 },
      { iv_id: 'd2', vat_value: 5 },
    ]);
    expect(outcome).toEqual({ succeeded: 1, failed: 1, errors: { d2: 'vat_value must be at least 0' } });
    expect((await read('d2')).vat_value).toBe(5);
  });
});

describe('mode update', () => {
  it('keeps absent fields, sets given ones, and lets null return to the default', async () => {
    await bulk('create', [
      { iv_id: 'u1', name_en: 'En', name_ar: 'ع', average_price: 7, barcode: 'u1', is_enabled: false },
    ]);
    const before = await read('u1');
    expect(await bulk('update', [{ iv_id: 'u1', name_en: 'New', average_price: null, is_enabled: null }])).toEqual(
      ok(1),
    );
    const after = await read('u1');
    expect(after).toEqual({ ...before, name_en: 'New', average_price: 0, is_enabled: true, updated: after.updated });
  });

  it('fails what does not exist, also once it was deleted', async () => {
    await bulk('create', [{ iv_id: 'u2' }]);
    await asOwner('DELETE /products/code/u2?force=true');
    expect(await bulk('update', [{ iv_id: 'u1' }, { iv_id: 'u2' }, { iv_id: 'missing' }])).toEqual({
      succeeded: 1,
      failed: 2,
      errors: { u2: 'Product not found', missing: 'Product not found' },
    });
  });

  it('applies two with one iv_id in order: the last wins', async () => {
    await bulk('create', [{ iv_id: 'u3' }]);
    const twice = [
      { iv_id: 'u3', name_en: 'first', name_ar: 'أول' },
      { iv_id: 'u3', name_en: 'last' },
    ];
    expect(await bulk('update', twice)).toEqual(ok(2));
    expect(await read('u3')).toMatchObject({ name_en: 'last', name_ar: 'أول' });
  });
});

describe('mode upsert', () => {
  it('creates and updates in one go', async () => {
    await bulk('create', [{ iv_id: 's1', name_en: 'Old', vat_value: 15 }]);
    const { id } = await read('s1');
    expect(
      await bulk('upsert', [
        { iv_id: 's2', name_en: 'Fresh' },
        { iv_id: 's1', name_en: 'New' },
      ]),
    ).toEqual(ok(2));
    expect(await read('s1')).toMatchObject({ id, name_en: 'New', vat_value: 15 });
    expect(await read('s2')).toMatchObject({ name_en: 'Fresh', vat_value: 0 });
  });

  it('applies two with one iv_id in order, whether it existed or not', async () => {
    const twice = [
      { iv_id: 's3', name_en: 'first', vat_value: 5 },
      { iv_id: 's3', name_en: 'last' },
    ];
    expect(await bulk('upsert', twice)).toEqual(ok(2));
    expect(await read('s3')).toMatchObject({ name_en: 'last', vat_value: 5 });
    expect((await asOwner('GET /products?search=s3')).body.total_count).toBe(1);
  });
});

describe('barcodes', () => {
  it('fail an item whose barcode another product has, or an earlier item took', async () => {
    await bulk('create', [{ iv_id: 'b1', barcode: '100' }]);
    const outcome = await bulk('upsert', [
      { iv_id: 'b2', barcode: '100' },
      { iv_id: 'b3', barcode: '200' },
      { iv_id: 'b4', barcode: '200' },
      { iv_id: 'b1', barcode: '100' },
      { iv_id: 'b5', barcode: '' },
      { iv_id: 'b6', barcode: '' },
    ]);
    expect(outcome).toEqual({
      succeeded: 4,
      failed: 2,
      errors: { b2: 'Duplicate barcode', b4: 'Duplicate barcode' },
    });
    expect((await asOwner('GET /products/code/b2')).status).toBe(404);
  });

  it('pass from one product to another within a batch, in a circle too', async () => {
    await bulk('create', [
      { iv_id: 'm1', barcode: 'A' },
      { iv_id: 'm2', barcode: 'B' },
    ]);
    const around = [
      { iv_id: 'm1', barcode: 'C' },
      { iv_id: 'm2', barcode: 'A' },
      { iv_id: 'm1', barcode: 'B' },
      { iv_id: 'm3', barcode: 'C' },
    ];
    expect(await bulk('upsert', around)).toEqual(ok(4));
    expect([(await read('m1')).barcode, (await read('m2')).barcode, (await read('m3')).barcode]).toEqual([
      'B',
      'A',
      'C',
    ]);
  });

  it('are not taken by an item that fails', async () => {
    const outcome = await bulk('create', [
      { iv_id: 'f1', barcode: '300', brand_id: newId() },
      { iv_id: 'f2', barcode: '300' },
    ]);
    expect(outcome).toEqual({ succeeded: 1, failed: 1, errors: { f1: 'Brand does not exist' } });
  });
});

describe('references', () => {
  it('fail an item that names a brand or category which is not there', async () => {
    const brand = (await asOwner('POST /brands', { name_en: 'B' })).body.data.id;
    const outcome = await bulk('create', [
      { iv_id: 'r1', brand_id: brand },
      { iv_id: 'r2', brand_id: newId() },
      { iv_id: 'r3', category_id: 'dairy' },
      { iv_id: 'r4', brand_id: 'x', category_id: newId() },
    ]);
    expect(outcome).toEqual({
      succeeded: 1,
      failed: 3,
      errors: {
        r2: 'Brand does not exist',
        r3: 'Category does not exist',
        r4: 'Brand does not exist; Category does not exist',
      },
    });
    expect(await read('r1')).toMatchObject({ brand_id: brand });
  });
});

describe('SKU clashes', () => {
  it('fail the later of two, with what exists and within the batch', async () => {
    const { owner } = await testOrganization(service.sql);
    const as = (target: string, body: unknown) => call(service.baseUrl, target, { token: owner.token, body });
    for (const iv_id of ['c', 'b_c']) await as('POST /branches', { iv_id });
    await as('POST /products', { iv_id: 'a' });
    const { body } = await as('POST /products/bulk', {
      mode: 'create',
      products: [
        { iv_id: 'a_b', barcode: 'left' },
        { iv_id: 'x_b' },
        { iv_id: 'x' },
        { iv_id: 'y' },
        { iv_id: 'z', barcode: 'left' },
        { iv_id: 'z_b' },
      ],
    });
    expect(body.data).toEqual({
      succeeded: 3,
      failed: 3,
      errors: {
        a_b: 'SKU iv_id already exists: a_b_c',
        x: 'SKU iv_id already exists: x_b_c',
        z_b: 'SKU iv_id already exists: z_b_c',
      },
    });
  });
});

describe('items that are wrong in themselves', () => {
  it('are named by iv_id, or by their place without one', async () => {
    const outcome = await bulk('create', [
      { iv_id: 'w1', name_en: 5 },
      { name_en: 'no iv_id' },
      null,
      'text',
      [],
      { iv_id: '' },
      { iv_id: 7 },
      { iv_id: 'w2'.padEnd(51, '2') },
      { iv_id: '__proto__', vat_value: 101 },
      { iv_id: 'constructor', vat_value: 102 },
      { iv_id: 'x'.repeat(300) },
      { iv_id: 'fine' },
    ]);
    expect(outcome).toMatchObject({ succeeded: 1, failed: 11 });
    expect(Object.entries(outcome.errors)).toEqual([
      ['w1', 'name_en must be a string or null'],
      ['#1', 'iv_id is required'],
      ['#2', 'must be an object'],
      ['#3', 'must be an object'],
      ['#4', 'must be an object'],
      ['#5', expect.stringContaining('iv_id must not be empty')],
      ['#6', 'iv_id must be a string'],
      ['w2'.padEnd(51, '2'), 'iv_id must have at most 50 characters'],
      ['__proto__', 'vat_value must be at most 100'],
      ['constructor', 'vat_value must be at most 100'],
      ['#10', 'iv_id must have at most 50 characters'],
    ]);
  });

  it('count each, even under one name', async () => {
    expect(
      await bulk('create', [
        { iv_id: 'k', vat_value: -1 },
        { iv_id: 'k', name_en: 1 },
      ]),
    ).toEqual({
      succeeded: 0,
      failed: 2,
      errors: { k: 'vat_value must be at least 0' },
    });
  });
});

describe('the request as a whole', () => {
  it('200 for no items', async () => {
    expect(await bulk('upsert', [])).toEqual(ok(0));
  });

  it('200 for a thousand, in a fixed number of statements', async () => {
    const products = Array.from({ length: 1000 }, (_, index) => ({ iv_id: `t${index}`, barcode: `t${index}` }));
    const few = await statementsFor([{ iv_id: 't-1', barcode: 't-1' }]);
    expect(await statementsFor(products)).toBe(few);
    expect(few).toBeLessThan(15);
  });

  it('413 for one more', async () => {
    const products = Array.from({ length: 1001 }, (_, index) => ({ iv_id: `n${index}` }));
    const { status, body } = await asOwner('POST /products/bulk', { mode: 'create', products });
    expect(status).toBe(413);
    expect(body).toEqual({
      code: 413,
      error: 'Payload too large',
      details: { products: 'at most 1000 are taken at once' },
    });
    expect((await asOwner('GET /products/code/n0')).status).toBe(404);
  });

  it.each([
    ['no mode', { products: [] }, { mode: 'is required' }],
    ['another mode', { mode: 'merge', products: [] }, { mode: 'must be one of create, update, upsert' }],
    ['no products', { mode: 'create' }, { products: 'is required' }],
    ['products that are no list', { mode: 'create', products: {} }, { products: 'must be an array' }],
  ])('422 for %s', async (_name, given, details) => {
    const { status, body } = await asOwner('POST /products/bulk', given);
    expect(status).toBe(422);
    expect(body).toEqual({ code: 422, error: 'Validation failed', details });
  });

  it('403 for a viewer and for an account confined to a branch', async () => {
    const branch = await asOwner('POST /branches', { iv_id: 'for-bulk' });
    for (const account of [
      await testAccount(service.sql, shop.id, 'viewer'),
      await testAccount(service.sql, shop.id, 'member', { branchId: String(branch.body.data.id) }),
    ]) {
      const body = { mode: 'upsert', products: [{ iv_id: 'v' }] };
      expect((await call(service.baseUrl, 'POST /products/bulk', { token: account.token, body })).status).toBe(403);
    }
  });

  it('answers a repeated Idempotency-Key with the first answer', async () => {
    const body = { mode: 'create', products: [{ iv_id: 'once' }, { iv_id: '' }] };
    const first = await asOwner('POST /products/bulk', body, { 'idempotency-key': 'bulk-once' });
    const second = await asOwner('POST /products/bulk', body, { 'idempotency-key': 'bulk-once' });
    expect(first.body.data).toMatchObject({ succeeded: 1, failed: 1 });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-hit')).toBe('true');
  });
});

/** Every statement and fragment that goes through the transaction. */
function statementsFor(products: unknown[]): Promise<number> {
  return inTransaction(service.sql, async (tx) => {
    let statements = 0;
    const counted = new Proxy(tx, {
      apply(target, self, args) {
        statements += 1;
        return Reflect.apply(target, self, args);
      },
    });
    const faults = await saveProducts(counted, shop.id, 'upsert', products, SYSTEM_ACTOR, new Date());
    expect(faults).toEqual(products.map(() => undefined));
    return statements;
  });
}
