import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { testShop } from '../../../test/harness/index.ts';
import { newOrder } from '../../modules/orders/testing/new-order.ts';

const { service, ask } = await testShop();
const strictly = { prefer: 'handling=strict' };

const named = (headers: Headers) => {
  const value = headers.get('x-ignored-fields');
  return value === null ? undefined : value.split(',').map(decodeURIComponent);
};

async function place(): Promise<string> {
  const { body } = await ask('POST /orders', { body: newOrder() });
  return body.data.id;
}

beforeAll(async () => {
  await ask('POST /branches', { body: { iv_id: 'RUH-1' } });
  await ask('POST /products', { body: { iv_id: 'MILK' } });
});

describe('names that nothing is done with', () => {
  it('are named in the header, of query and body, nested ones by their paths', async () => {
    const body = { iv_id: 'N-1', colour: 'red', 'odd,näme': 1, location: { lat: 1, lon: 2, level: 3 } };
    const reply = await ask('POST /branches?verbose=1', { body });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('x-ignored-fields')).toBe('verbose,colour,odd%2Cn%C3%A4me,location.level');
    expect(reply.headers.get('preference-applied')).toBeNull();
  });

  it.each([
    ['GET /ping?foo=1&foo=2&b%20ar', ['foo', 'b ar']],
    ['GET /orders?page=1&colour=red', ['colour']],
    ['GET /orders/changes?limits=3', ['limits']],
    ['HEAD /orders/changes/stream?since=3', ['since']],
    ['GET /webhook-subscriptions?page=1', ['page']],
    ['GET /orders/dashboard/export?format=csv', ['format']],
    ['GET /openapi.json?v=2', ['v']],
    ['DELETE /products/code/NOTHING?forced=true', ['forced']],
    ['GET /orders?page=one&limit=', undefined],
  ])('%s', async (target, expected) => {
    expect(named((await ask(target)).headers)).toEqual(expected);
  });

  it('are named on refusals too, once the body was read', async () => {
    const reply = await ask('POST /products', { body: { iv_id: '', colour: 'red' } });
    expect([reply.status, named(reply.headers)]).toEqual([422, ['colour']]);
    const taken = await ask('POST /products?x=1', { body: { iv_id: 'MILK', size: 1 } });
    expect([taken.status, named(taken.headers)]).toEqual([409, ['x', 'size']]);
  });

  it('fill at most two kilobytes, cut after a whole name', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`ملاحظة-${index}`, 1]));
    const { headers } = await ask('POST /products', { body: { iv_id: 'CUT', ...unknown } });
    const value = headers.get('x-ignored-fields') ?? '';
    expect(value.length).toBeLessThanOrEqual(2048);
    expect(value.length).toBeGreaterThan(1900);
    expect(named(headers)).toEqual(Object.keys(unknown).slice(0, named(headers)?.length));
    const long = await ask('POST /products', { body: { iv_id: 'CUT-2', ['k'.repeat(3000)]: 1, colour: 1 } });
    expect(named(long.headers)).toEqual(['colour']);
  });

  it('are none in an object that is kept as it comes', async () => {
    const lines = [{ product_id: 'P', sku_id: 'P_B', colour: 'red', note: { of: 'any kind' } }];
    const body = newOrder({ products: lines, shipping_address: { street: 'x', gate: { code: 1 } } });
    const reply = await ask('POST /orders', { body, headers: strictly });
    expect([reply.status, named(reply.headers)]).toEqual([201, undefined]);
    const hours = { sunday: { open: '09:00', close: '17:00' } };
    const branch = await ask('PUT /branches/RUH-1', {
      body: { iv_id: 'RUH-1', working_hours: hours },
      headers: strictly,
    });
    expect(branch.status).toBe(200);
  });
});

describe('a body that holds nothing known', () => {
  it('returns 422 with the closest field', async () => {
    const id = await place();
    const reply = await ask(`PATCH /orders/${id}/status`, { body: { status: 'DISPATCHED' } });
    expect(reply.body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: { status: 'is not known here: did you mean order_status?' },
    });
    expect(named(reply.headers)).toEqual(['status']);
    expect((await ask(`GET /orders/${id}`)).body.order.order_status).toBe('RECEIVED');
    expect((await ask(`PATCH /orders/${id}/status`, { body: {} })).status).toBe(200);
  });

  it.each([
    ['PUT /branches/RUH-1', 400],
    ['POST /branches', 400],
    ['POST /branches/bulk', 400],
    ['PUT /branches/RUH-1/working-hours', 400],
    ['PUT /products/code/MILK', 422],
    ['PATCH /skus/MILK_RUH-1', 422],
    ['POST /auth/login', 422],
    ['POST /webhook-subscriptions', 422],
    ['POST /orders', 422],
    ['POST /orders/bulk', 422],
  ])('%s: %i', async (target, status) => {
    const reply = await ask(target, { body: { colour: 'red' } });
    expect([reply.status, reply.body.error]).toEqual([status, 'Validation failed']);
    expect(reply.body.details.colour).toBe('is not known here');
  });

  it('is refused where no body is expected, such as the force of a delete', async () => {
    const reply = await ask('DELETE /products/code/MILK', { body: { force: true } });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toEqual({ force: 'is not known here, where nothing is expected' });
    expect((await ask('GET /products/code/MILK')).status).toBe(200);
  });

  it('returns the missing fields first on the lead form', async () => {
    const reply = await ask('POST /leads', { body: { mail: 'a@b.co' } });
    expect(reply.body).toEqual({ data: null, message: 'missing required field: email', status: 400 });
    expect(named(reply.headers)).toEqual(['mail']);
  });

  it('names at most fifty fields', async () => {
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
    expect(Object.keys((await ask('POST /orders', { body })).body.details)).toHaveLength(50);
  });
});

describe('Prefer: handling=strict', () => {
  it('refuses unknown fields by their paths, and says that it did', async () => {
    const body = { iv_id: 'S-1', nameEn: 'x', location: { lat: 1, lon: 2, town: 'x' } };
    const reply = await ask('POST /branches', { body, headers: strictly });
    expect(reply.body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: {
        nameEn: 'is not known here: did you mean name_en?',
        'location.town': 'is not known here',
      },
    });
    expect(reply.headers.get('preference-applied')).toBe('handling=strict');
    expect(named(reply.headers)).toBeUndefined();
    expect((await ask('GET /branches/S-1')).status).toBe(404);
    const product = await ask('POST /products', { body: { iv_id: 'S-1', colour: 1 }, headers: strictly });
    expect([product.status, Object.keys(product.body.details)]).toEqual([422, ['colour']]);
  });

  it('refuses unknown query parameters with 400, before it looks at the body', async () => {
    const reply = await ask('GET /orders?Status=RECEIVED', { headers: strictly });
    expect(reply.body).toEqual({
      code: 400,
      error: 'Invalid request parameters',
      details: { Status: 'is not known here: did you mean status?' },
    });
    const both = await ask('POST /products?x=1', { body: { colour: 1 }, headers: strictly });
    expect([both.status, Object.keys(both.body.details)]).toEqual([400, ['x']]);
    expect((await ask('GET /ping?x=1', { headers: strictly })).body.details).toEqual({
      x: 'is not known here, where nothing is expected',
    });
  });

  it('lets pass what is known, and says so', async () => {
    const reply = await ask('GET /orders?page=1', { headers: strictly });
    expect([reply.status, reply.headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
    expect((await ask('GET /orders?pages=1', { headers: { prefer: 'handling=lenient' } })).status).toBe(200);
  });

  it('speaks to a lead form in its own envelope', async () => {
    const body = { email: 'a@b.co', name: 'n', fone: '1' };
    const reply = await ask('POST /leads', { body, headers: strictly });
    const message = 'fone is not known here: did you mean phone?';
    expect(reply.body).toEqual({ data: null, message, status: 422 });
  });
});

describe('bulk calls', () => {
  const products = [{ iv_id: 'B-1', name_en: 'x' }, { iv_id: 'B-2', colour: 'red' }, { colour: 'red' }];

  it('name what is unknown in an item by its place', async () => {
    const reply = await ask('POST /products/bulk', { body: { mode: 'upsert', products, dry_run: true } });
    expect(named(reply.headers)).toEqual(['dry_run', 'products.1.colour', 'products.2.colour']);
    expect(reply.body.data).toEqual({ succeeded: 2, failed: 1, errors: { '#2': 'iv_id is required' } });
  });

  it('fail such an item alone when asked to be strict, and the whole call for its frame', async () => {
    const body = { mode: 'upsert', products: products.slice(0, 2) };
    const reply = await ask('POST /products/bulk', { body, headers: strictly });
    expect([reply.status, named(reply.headers)]).toEqual([200, undefined]);
    const errors = { 'B-2': 'colour is not known here' };
    expect(reply.body.data).toEqual({ succeeded: 1, failed: 1, errors });
    const framed = await ask('POST /products/bulk', { body: { ...body, dry_run: true }, headers: strictly });
    expect([framed.status, Object.keys(framed.body.details)]).toEqual([422, ['dry_run']]);
  });

  it('fail a change that names what to change and nothing that could be changed', async () => {
    const mistaken = expect.stringMatching(/^nme is not known here: did you mean name_\w+\?$/);
    const items = [{ iv_id: 'MILK', nme: 'x' }, { iv_id: 'B-1' }, { iv_id: 'B-2', nme: 'x', name_en: 'y' }];
    const reply = await ask('POST /products/bulk', { body: { mode: 'update', products: items } });
    expect(reply.body.data).toEqual({ succeeded: 2, failed: 1, errors: { MILK: mistaken } });
    expect(named(reply.headers)).toEqual(['products.0.nme', 'products.2.nme']);
    const made = await ask('POST /products/bulk', { body: { mode: 'create', products: [{ iv_id: 'B-9', nme: 'x' }] } });
    expect(made.body.data.succeeded).toBe(1);

    const branches = await ask('POST /branches/bulk', {
      body: { mode: 'update', branches: [{ iv_id: 'RUH-1', nme: 'x' }, { iv_id: 'RUH-1' }] },
    });
    expect(branches.body.data).toEqual({ succeeded: 1, failed: 1, errors: { 'RUH-1': mistaken } });
    const skus = await ask('POST /skus/bulk', {
      body: {
        mode: 'update',
        skus: [
          { iv_id: 'MILK_RUH-1', qty: 3 },
          { iv_id: 'MILK_RUH-1', current_qty: 3, qty: 3 },
        ],
      },
    });
    const errors = { 'MILK_RUH-1': 'qty is not known here: did you mean current_qty?' };
    expect(skus.body.data).toEqual({ succeeded: 1, failed: 1, errors });
    expect(named(skus.headers)).toEqual(['skus.0.qty', 'skus.1.qty']);
  });

  it('of orders: in both forms, and their statuses', async () => {
    const [odd, whole] = [newOrder({ discount: 5 }), newOrder()];
    const listed = await ask('POST /orders/bulk', { body: [whole, odd] });
    expect([named(listed.headers), listed.body.data.succeeded]).toEqual([['1.discount'], 2]);
    const orders = [newOrder({ discount: 5 }), newOrder()];
    const strict = await ask('POST /orders/bulk', { body: { mode: 'create', orders }, headers: strictly });
    expect(strict.body.data).toMatchObject({ succeeded: 1, failed: 1 });
    expect(Object.values(strict.body.data.errors)).toEqual([
      'discount is not known here: did you mean discounts_amount?',
    ]);

    const [first, second, third] = [await place(), await place(), await place()];
    const updates = [
      { id: first, status: 'DISPATCHED' },
      { id: second, order_status: 'DISPATCHED', by: 'x' },
      { id: third },
    ];
    const moved = await ask('PATCH /orders/bulk/status', { body: { updates } });
    expect(moved.body.data).toEqual({
      succeeded: 2,
      failed: 1,
      errors: { [first]: 'status is not known here: did you mean order_status?' },
    });
    expect(named(moved.headers)).toEqual(['updates.0.status', 'updates.1.by']);
    const again = await ask('PATCH /orders/bulk/status', { body: { updates }, headers: strictly });
    expect(Object.keys(again.body.data.errors).sort()).toEqual([first, second].sort());
    const gone = await ask('DELETE /orders/bulk', { body: { order_ids: [third], forever: true } });
    expect([named(gone.headers), gone.body.data.succeeded]).toEqual([['forever'], 1]);
  });
});

describe('forms', () => {
  const form = (fields: Record<string, string>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  };

  it('are named by their parts, and by what a part holds as JSON', async () => {
    const location = JSON.stringify({ lat: 1, lon: 2, level: 3 });
    const data = form({ iv_id: 'F-1', note: 'x', location });
    data.append('attachment', new Blob(['x']), 'x.png');
    const reply = await ask('POST /branches?q=1', { raw: data });
    expect([reply.status, named(reply.headers)]).toEqual([201, ['q', 'note', 'attachment', 'location.level']]);
  });

  it('are refused when strict, and when nothing of them is known', async () => {
    const strict = await ask('POST /branches', { raw: form({ iv_id: 'F-2', name: 'x' }), headers: strictly });
    expect(strict.body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: { name: 'is not known here: did you mean name_en?' },
    });
    const location = JSON.stringify({ lat: 1, lon: 2, level: 3 });
    const nested = await ask('POST /branches', { raw: form({ iv_id: 'F-2', location }), headers: strictly });
    expect([nested.status, Object.keys(nested.body.details)]).toEqual([422, ['location.level']]);
    const nothing = await ask('PUT /branches/RUH-1', { raw: form({ name: 'x' }) });
    expect([nothing.status, named(nothing.headers)]).toEqual([400, ['name']]);
    expect((await ask('GET /branches/F-2')).status).toBe(404);
    expect(await service.sql`select key from unclaimed_files`).toEqual([]);
  });
});

describe('any name that is not known', () => {
  const KNOWN: Record<string, object> = {
    'PUT /products/code/MILK': { name_en: 'Milk' },
    'PUT /branches/RUH-1': { name_en: 'Riyadh' },
    'PATCH /skus/MILK_RUH-1': { current_qty: 1 },
  };
  // A body with __proto__ comes without it: the parser takes it away.
  const taken = new Set(['__proto__', 'iv_id', 'name_en', 'name_ar', 'price', 'photos', 'location', 'email', 'active']);
  const name = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), fc.lorem({ maxCount: 1 }));
  const unknown = name.filter((text) => text.isWellFormed() && !text.includes('\u0000') && !taken.has(text));

  it('is named, or refused when strict', async () => {
    const target = fc.constantFrom(...Object.keys(KNOWN));
    const property = fc.asyncProperty(target, unknown, fc.jsonValue(), async (target, field, value) => {
      const body = { ...KNOWN[target], [field]: value };
      const lenient = await ask(target, { body });
      expect([lenient.status, named(lenient.headers)]).toEqual([200, [field]]);
      const strict = await ask(target, { body, headers: strictly });
      expect([strict.status >= 400 && strict.status < 500, Object.keys(strict.body.details)]).toEqual([true, [field]]);
      const query = `?${encodeURIComponent(field)}=1`;
      expect(named((await ask(`GET /ping${query}`)).headers)).toEqual([field]);
      expect((await ask(`GET /ping${query}`, { headers: strictly })).status).toBe(400);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});
