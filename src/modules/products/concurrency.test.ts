import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService({ DATABASE_POOL_SIZE: '20' });
});

function clientOf(shop: TestOrganization) {
  return (target: string, body?: unknown) => call(service.baseUrl, target, { token: shop.owner.token, body });
}

function tally(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('many clients at once', () => {
  it('creating one iv_id: the first gets it, the rest 409', async () => {
    const as = clientOf(await testOrganization(service.sql));
    for (let round = 0; round < 5; round += 1) {
      const replies = await many(20, () => as('POST /products', { iv_id: `same-${round}` }));
      expect(tally(replies.map((reply) => reply.status))).toEqual({ 201: 1, 409: 19 });
      const refused = replies.find((reply) => reply.status === 409);
      expect(refused?.body).toMatchObject({
        error: 'Product iv_id already exists',
        details: { iv_id: `same-${round}` },
      });
    }
    expect((await as('GET /products')).body.total_count).toBe(5);
  });

  it('creating one barcode: the first gets it, the rest 409', async () => {
    const as = clientOf(await testOrganization(service.sql));
    for (let round = 0; round < 5; round += 1) {
      const replies = await many(20, (index) =>
        as('POST /products', { iv_id: `${round}-${index}`, barcode: `b${round}` }),
      );
      expect(tally(replies.map((reply) => reply.status))).toEqual({ 201: 1, 409: 19 });
      const refused = replies.find((reply) => reply.status === 409);
      expect(refused?.body).toMatchObject({ error: 'Duplicate barcode', details: { barcode: `b${round}` } });
    }
  });

  it('taking one barcode by replacing: one has it afterwards', async () => {
    const as = clientOf(await testOrganization(service.sql));
    await as('POST /products/bulk', {
      mode: 'create',
      products: Array.from({ length: 15 }, (_, i) => ({ iv_id: `r${i}` })),
    });
    const replies = await many(15, (index) => as(`PUT /products/code/r${index}`, { barcode: 'wanted' }));
    expect(tally(replies.map((reply) => reply.status))).toEqual({ 200: 1, 409: 14 });
  });

  it('deleting and creating one iv_id: never more than one of it, and its SKUs agree', async () => {
    const shop = await testOrganization(service.sql);
    const as = clientOf(shop);
    await as('POST /branches', { iv_id: 'RUH' });
    await as('POST /products', { iv_id: 'blinking' });
    const replies = await many(60, (index) =>
      index % 2 === 0 ? as('DELETE /products/code/blinking?force=true') : as('POST /products', { iv_id: 'blinking' }),
    );
    expect(replies.filter((reply) => ![201, 204, 404, 409].includes(reply.status))).toEqual([]);
    const made = 1 + replies.filter((reply) => reply.status === 201).length;
    const gone = replies.filter((reply) => reply.status === 204).length;
    expect([0, 1]).toContain(made - gone);
    expect((await as('GET /products')).body.total_count).toBe(made - gone);
    const [skus] = await service.sql`select count(*) as count from skus where organization_id = ${shop.id}`;
    expect(skus?.count).toBe(made - gone);
  });

  it('upserting batches that overlap: every item succeeds and nothing is doubled', async () => {
    const shop = await testOrganization(service.sql);
    const as = clientOf(shop);
    for (const iv_id of ['RUH', 'JED', 'DMM']) await as('POST /branches', { iv_id });
    const replies = await many(10, (client) => {
      // Each in an order of its own, over the same products.
      const products = Array.from({ length: 200 }, (_, index) => ({
        iv_id: `o${(index * 7 + client * 31) % 230}`,
        name_en: `by ${client}`,
      }));
      return as('POST /products/bulk', { mode: 'upsert', products });
    });
    expect(replies.map((reply) => [reply.status, reply.body.data?.failed])).toEqual(Array(10).fill([200, 0]));
    const { body } = await as('GET /products?limit=1');
    const [counts] = await service.sql`
      select (select count(*) from products where organization_id = ${shop.id}) as products,
             (select count(*) from skus where organization_id = ${shop.id}) as skus`;
    expect(counts).toEqual({ products: 230, skus: 690 });
    expect(body.total_count).toBe(230);
  });

  it('creating batches that overlap by iv_id and barcode: each product is created once', async () => {
    const shop = await testOrganization(service.sql);
    const as = clientOf(shop);
    const replies = await many(8, (client) => {
      const products = Array.from({ length: 60 }, (_, index) => {
        const number = (index * 11 + client * 17) % 90;
        // Barcodes run against the order of the iv_ids.
        return { iv_id: `c${number}`, barcode: `x${89 - number}` };
      });
      return as('POST /products/bulk', { mode: 'create', products });
    });
    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200));
    const succeeded = replies.reduce((sum, reply) => sum + reply.body.data.succeeded, 0);
    const reasons = new Set(replies.flatMap((reply) => Object.values(reply.body.data.errors)));
    expect(reasons).toEqual(new Set(['Product iv_id already exists']));
    const [row] = await service.sql`select count(*) as count from products where organization_id = ${shop.id}`;
    expect(row?.count).toBe(succeeded);
    expect((await as('GET /products')).body.total_count).toBe(succeeded);
  });

  it('accepts every writer when barcodes are exchanged in opposite orders', async () => {
    const as = clientOf(await testOrganization(service.sql));
    const replies = await many(6, (client) => {
      const numbers = Array.from({ length: 20 }, (_, index) => (client % 2 === 0 ? index : 19 - index));
      const products = numbers.map((number, index) => ({
        iv_id: `${client}-${String(index).padStart(2, '0')}`,
        barcode: `z${number}`,
      }));
      return as('POST /products/bulk', { mode: 'create', products });
    });
    expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(200));
    expect(replies.reduce((sum, reply) => sum + reply.body.data.succeeded, 0)).toBe(20);
  });

  it('updating different fields of one product in batches: no update is lost', async () => {
    const as = clientOf(await testOrganization(service.sql));
    await as('POST /products', { iv_id: 'shared' });
    const changes = [{ name_en: 'En' }, { name_ar: 'ع' }, { vat_value: 15 }, { average_price: 9 }, { generic_id: 'g' }];
    await Promise.all(
      changes.map((change) =>
        as('POST /products/bulk', { mode: 'update', products: [{ iv_id: 'shared', ...change }] }),
      ),
    );
    expect((await as('GET /products/code/shared')).body).toMatchObject(Object.assign({}, ...changes));
  });

  it('adding products and branches: every pair has its SKU once', async () => {
    const shop = await testOrganization(service.sql);
    const as = clientOf(shop);
    const replies = await many(40, (client) => {
      if (client % 4 === 0) return as('POST /branches', { iv_id: `branch-${client}` });
      if (client % 4 === 1) return as('POST /products', { iv_id: `product-${client}` });
      const products = Array.from({ length: 5 }, (_, index) => ({ iv_id: `product-${client}-${index}` }));
      return as('POST /products/bulk', { mode: 'upsert', products });
    });
    expect(tally(replies.map((reply) => reply.status))).toEqual({ 200: 20, 201: 20 });
    const [skus] = await service.sql`
      select count(*) as count, count(distinct (product_id, branch_id)) as pairs from skus
      where organization_id = ${shop.id}`;
    expect(skus).toEqual({ count: 110 * 10, pairs: 110 * 10 });
  });
});
