import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  patienceMs,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { addProducts, listSkuIvIds, totalOf } from './testing/catalog.ts';
import { type BranchClient, branchClient } from './testing/client.ts';

let service: TestService;
let shop: TestOrganization;
let client: BranchClient;
const names = async () => {
  const { body } = await client.list('?sort=iv_id&limit=100');
  return Object.fromEntries(body.data.map((branch) => [branch.iv_id, branch.name_en]));
};

beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  shop = await testOrganization(service.sql);
  client = branchClient(service.baseUrl, shop.owner.token);
});

describe('create', () => {
  test('all new, with every SKU', async () => {
    await addProducts(service.sql, shop.id, ['P-1', 'P-2', 'P-3']);
    const branches = Array.from({ length: 40 }, (_, index) => ({ iv_id: `B-${index}`, name_en: `Branch ${index}` }));
    const reply = await client.bulk({ mode: 'create', branches });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: '40 of 40 branches saved',
        data: { succeeded: 40, failed: 0, errors: {} },
        timestamp: expect.any(String),
      },
    });
    expect(await listSkuIvIds(service.sql, shop.id)).toHaveLength(120);
    expect(await totalOf(service.sql, shop.id, 'branches')).toBe(40);
    expect(await totalOf(service.sql, shop.id, 'skus')).toBe(120);
  });

  test('one bad item spoils no other', async () => {
    await client.create({ iv_id: 'HAVE', name_en: 'as it was' });
    const reply = await client.bulk({
      mode: 'create',
      branches: [
        { iv_id: 'OK-1' },
        { iv_id: 'HAVE', name_en: 'changed' },
        { name_en: 'no id' },
        null,
        'text',
        [],
        { iv_id: '' },
        { iv_id: 7 },
        { iv_id: 'x'.repeat(51) },
        { iv_id: 'x'.repeat(5000) },
        { iv_id: 'BAD-1', status: 'Open', location: { lat: 99 } },
        { iv_id: 'BAD-2', working_hours: { sunday: {} } },
        { iv_id: 'OK-1', name_en: 'second' },
        { iv_id: '__proto__', name_en: 'odd but fine' },
        { iv_id: 'constructor', email: 'bad' },
        { iv_id: 'OK-2', hero_image: 'https://example.com/x.png', photos: 7 },
      ],
    });
    expect(reply.body.success).toBe(true);
    const { errors, ...counts } = reply.body.data;
    expect(counts).toEqual({ succeeded: 3, failed: 13 });
    expect(new Map(Object.entries(errors))).toEqual(
      new Map(
        Object.entries({
          HAVE: 'Branch iv_id already exists',
          '#2': 'iv_id is required',
          '#3': 'must be an object',
          '#4': 'must be an object',
          '#5': 'must be an object',
          '#6': 'iv_id must not be empty',
          '#7': 'iv_id must be a string',
          ['x'.repeat(51)]: 'iv_id must have at most 50 characters',
          '#9': 'iv_id must have at most 50 characters',
          'BAD-1': expect.stringMatching(
            /^status must be one of .*; location.lat must be .*; location.lon is required$/,
          ),
          'BAD-2': expect.stringMatching(/^working_hours.sunday must be/),
          'OK-1': 'Duplicate iv_id in this request',
          constructor: 'email must be an email address',
        }),
      ),
    );
    expect(new Map(Object.entries(await names()))).toEqual(
      new Map([
        ['OK-1', ''],
        ['HAVE', 'as it was'],
        ['__proto__', 'odd but fine'],
        ['OK-2', ''],
      ]),
    );
  });

  test('a valid item is not held back by an invalid one of the same iv_id', async () => {
    const branches = [
      { iv_id: 'A', status: 'x' },
      { iv_id: 'A', name_en: 'good' },
    ];
    const reply = await client.bulk({ mode: 'create', branches });
    expect(reply.body.data).toMatchObject({
      succeeded: 1,
      failed: 1,
      errors: { A: expect.stringContaining('status') },
    });
    expect(await names()).toEqual({ A: 'good' });
  });

  test('SKU iv_ids that clash with what is there, and with each other', async () => {
    await addProducts(service.sql, shop.id, ['a', 'a_b', 'a_b_x']);
    await client.create({ iv_id: 'c' });
    const branches = ['b_c', 'd', 'b_d', 'x_d', 'fine', 'b_x_d', 'z_z'].map((iv_id) => ({ iv_id }));
    const reply = await client.bulk({ mode: 'upsert', branches });
    expect(reply.body.data).toEqual({
      succeeded: 3,
      failed: 4,
      errors: {
        b_c: 'SKU iv_id already exists: a_b_c',
        b_d: 'SKU iv_id already exists: a_b_d',
        x_d: 'SKU iv_id already exists: a_b_x_d',
        b_x_d: 'SKU iv_id already exists: a_b_x_d',
      },
    });
    expect(Object.keys(await names())).toEqual(['c', 'd', 'fine', 'z_z']);
    expect(await listSkuIvIds(service.sql, shop.id)).toHaveLength(12);
    expect(await totalOf(service.sql, shop.id, 'branches')).toBe(4);
    expect(await totalOf(service.sql, shop.id, 'skus')).toBe(12);
  });

  test('the earlier of two rivals keeps its place, whichever is longer', async () => {
    await addProducts(service.sql, shop.id, ['p', 'p_q']);
    const reply = await client.bulk({ mode: 'create', branches: [{ iv_id: 'q_r' }, { iv_id: 'r' }] });
    expect(reply.body.data).toMatchObject({ succeeded: 1, errors: { r: 'SKU iv_id already exists: p_q_r' } });
    expect(Object.keys(await names())).toEqual(['q_r']);
  });
});

describe('update and upsert', () => {
  beforeEach(async () => {
    await client.create({ iv_id: 'A', name_en: 'A1', name_ar: 'أ', status: 'Published', location: { lat: 1, lon: 2 } });
    await client.create({ iv_id: 'B', name_en: 'B1' });
  });

  test('update keeps what is absent, clears what is null, and knows what is missing', async () => {
    const reply = await client.bulk({
      mode: 'update',
      branches: [{ iv_id: 'A', name_en: 'A2', location: null }, { iv_id: 'NEW' }, { iv_id: 'B', status: null }],
    });
    expect(reply.body.data).toEqual({ succeeded: 2, failed: 1, errors: { NEW: 'Branch not found' } });
    expect((await client.get('A')).body).toMatchObject({
      name_en: 'A2',
      name_ar: 'أ',
      status: 'Published',
      location: null,
    });
    expect(await names()).toEqual({ A: 'A2', B: 'B1' });
    expect((await client.list('?search=a2')).body.total_count).toBe(1);
  });

  test('upsert does both; of an iv_id that comes twice the last wins', async () => {
    const reply = await client.bulk({
      mode: 'upsert',
      branches: [
        { iv_id: 'A', name_en: 'first', name_ar: 'يبقى' },
        { iv_id: 'C', name_en: 'C1' },
        { iv_id: 'A', name_en: 'last' },
        { iv_id: 'C', name_en: 'C2' },
        { iv_id: 'A', status: 'wrong' },
      ],
    });
    expect(reply.body.data).toMatchObject({ succeeded: 4, failed: 1 });
    expect(await names()).toEqual({ A: 'last', B: 'B1', C: 'C2' });
    expect((await client.get('A')).body.name_ar).toBe('يبقى');
    expect(await totalOf(service.sql, shop.id, 'branches')).toBe(3);
  });

  test('a missing branch that is named twice fails twice', async () => {
    const reply = await client.bulk({ mode: 'update', branches: [{ iv_id: 'X' }, { iv_id: 'X' }, { iv_id: 'B' }] });
    expect(reply.body.data).toEqual({ succeeded: 1, failed: 2, errors: { X: 'Branch not found' } });
  });

  test('images stay', async () => {
    const key = `${shop.id}/3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.png`;
    await service.sql`update branches set hero_image = ${key}, photos = array[${key}] where organization_id = ${shop.id}`;
    await client.bulk({ mode: 'upsert', branches: [{ iv_id: 'A', name_en: 'x', hero_image: null, photos: null }] });
    expect((await client.get('A')).body).toMatchObject({
      hero_image: expect.stringContaining(key),
      photos: [expect.stringContaining(key)],
    });
  });

  test('another organization is not touched', async () => {
    const other = await testOrganization(service.sql);
    const theirs = branchClient(service.baseUrl, other.owner.token);
    expect((await theirs.bulk({ mode: 'update', branches: [{ iv_id: 'A', name_en: 'x' }] })).body.data.failed).toBe(1);
    expect((await theirs.bulk({ mode: 'upsert', branches: [{ iv_id: 'A', name_en: 'x' }] })).body.data.failed).toBe(0);
    expect(await names()).toEqual({ A: 'A1', B: 'B1' });
  });

  test('large batches over the same branches at the same moment', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `S-${index}`);
    const batches = Array.from({ length: 8 }, (_, batch) => {
      const order = batch % 2 === 0 ? ids : ids.toReversed();
      const branches = order.map((iv_id) => ({ iv_id, name_en: `from ${batch}` }));
      return client.bulk({ mode: batch % 4 === 3 ? 'update' : 'upsert', branches });
    });
    const replies = await Promise.all(batches);
    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200));
    const { body } = await client.list('?search=from&limit=100');
    expect(body.total_count).toBe(200);
    expect(new Set(body.data.map((branch) => branch.name_en)).size).toBe(1);
    expect(await totalOf(service.sql, shop.id, 'branches')).toBe(202);
  });
});

describe('the request as a whole', () => {
  test('1000 branches pass, 1001 are 413', async () => {
    const branches = Array.from({ length: 1001 }, (_, index) => ({ iv_id: `N-${index}` }));
    expect(await client.bulk({ mode: 'create', branches })).toMatchObject({
      status: 413,
      body: { code: 413, details: { branches: 'at most 1000 in one request' } },
    });
    const reply = await client.bulk({ mode: 'create', branches: branches.slice(1) });
    expect(reply.body.data).toEqual({ succeeded: 1000, failed: 0, errors: {} });
  });

  test.each<[unknown, string]>([
    [{ branches: [{ iv_id: 'A' }] }, 'mode'],
    [{ mode: 'replace', branches: [{ iv_id: 'A' }] }, 'mode'],
    [{ mode: null, branches: [{ iv_id: 'A' }] }, 'mode'],
    [{ mode: 'create' }, 'branches'],
    [{ mode: 'create', branches: {} }, 'branches'],
    [{ mode: 'create', branches: [] }, 'branches'],
    [[{ iv_id: 'A' }], 'body'],
  ])('400: %j', async (body, field) => {
    const reply = await client.bulk(body);
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.details)).toEqual([field]);
  });

  test('a repeat with the same Idempotency-Key does nothing again', async () => {
    const headers = { 'idempotency-key': 'bulk-1' };
    const body = { mode: 'create', branches: [{ iv_id: 'A' }, { iv_id: 'A' }] };
    const first = await client.bulk(body, headers);
    const again = await client.bulk(body, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-hit')).toBe('true');
    expect(await names()).toEqual({ A: '' });
  });
});

// A hundred and more requests: what it takes is up to the machine.
test('counts always add up, and the list agrees with a model', { timeout: 4 * patienceMs() }, async () => {
  const item = fc.record(
    {
      iv_id: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e') }, fc.constantFrom('', 5, null)),
      name_en: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('one', 'two', null) }, fc.constant(5)),
      status: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('New', 'Pending') }, fc.constant('odd')),
    },
    { requiredKeys: [] },
  );
  const call = fc.record({
    mode: fc.constantFrom('create', 'update', 'upsert'),
    branches: fc.array(item, { minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 4 }), async (calls) => {
      const organization = await testOrganization(service.sql);
      const own = branchClient(service.baseUrl, organization.owner.token);
      const model = new Map<string, { name_en: string; status: string }>();
      for (const { mode, branches } of calls) {
        let failed = 0;
        const had = new Set(model.keys());
        const made = new Set<string>();
        for (const branch of branches) {
          const { iv_id, name_en, status } = branch;
          const isValid = typeof iv_id === 'string' && iv_id !== '' && name_en !== 5 && status !== 'odd';
          const isMissing = mode === 'update' && typeof iv_id === 'string' && !had.has(iv_id);
          const isTaken = mode === 'create' && typeof iv_id === 'string' && (had.has(iv_id) || made.has(iv_id));
          if (!isValid || isMissing || isTaken) {
            failed += 1;
            continue;
          }
          const old = model.get(iv_id) ?? { name_en: '', status: 'New' };
          made.add(iv_id);
          model.set(iv_id, {
            name_en: name_en === undefined ? old.name_en : String(name_en ?? ''),
            status: status ?? old.status,
          });
        }
        const { data } = (await own.bulk({ mode, branches })).body;
        expect([data.succeeded, data.failed]).toEqual([branches.length - failed, failed]);
      }
      const { body } = await own.list('?limit=100');
      expect(new Map(body.data.map(({ iv_id, name_en, status }) => [iv_id, { name_en, status }]))).toEqual(model);
      expect(body.total_count).toBe(model.size);
    }),
    { numRuns: 40 },
  );
});
