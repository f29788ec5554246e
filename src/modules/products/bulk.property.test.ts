import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { call, type TestService, testOrganization, testService } from '../../../test/harness/index.ts';

/** The same rules written the slow and obvious way: one item after the other, looking at everything each time. */
type Fields = { name_en: string; vat_value: number; barcode: string; brand_id: string | null; is_enabled: boolean };
type Given = { [Name in keyof Fields]?: Fields[Name] | null } & { iv_id?: string };
type Shop = { products: Map<string, Fields>; brands: string[]; branches: string[] };

const DEFAULTS: Fields = { name_en: '', vat_value: 0, barcode: '', brand_id: null, is_enabled: true };

function applyOne(shop: Shop, mode: string, given: Given, seen: Set<string>): string | undefined {
  const faults = [];
  if (given.iv_id === undefined) faults.push('iv_id is required');
  if ((given.vat_value ?? 0) > 100) faults.push('vat_value must be at most 100');
  if (given.iv_id === undefined || faults.length > 0) return faults.join('; ');
  const ivId = given.iv_id;
  if (given.brand_id != null && !shop.brands.includes(given.brand_id)) return 'Brand does not exist';
  const existing = shop.products.get(ivId);
  if (mode === 'create' && existing)
    return seen.has(ivId) ? 'Duplicate iv_id in this request' : 'Product iv_id already exists';
  if (mode === 'update' && !existing) return 'Product not found';
  for (const [other, { barcode }] of shop.products) {
    if (given.barcode && barcode === given.barcode && other !== ivId) return 'Duplicate barcode';
  }
  if (!existing) {
    for (const branch of shop.branches) {
      for (const other of shop.products.keys()) {
        for (const itsBranch of shop.branches) {
          if (`${other}_${itsBranch}` === `${ivId}_${branch}`) return `SKU iv_id already exists: ${ivId}_${branch}`;
        }
      }
    }
  }
  const next = { ...DEFAULTS, ...existing };
  for (const name of Object.keys(DEFAULTS) as (keyof Fields)[]) {
    if (given[name] !== undefined) Object.assign(next, { [name]: given[name] ?? DEFAULTS[name] });
  }
  shop.products.set(ivId, next);
  seen.add(ivId);
  return undefined;
}

function applyBatch(shop: Shop, mode: string, items: Given[]) {
  const seen = new Set<string>();
  const errors: Record<string, string> = {};
  let failed = 0;
  items.forEach((item, index) => {
    const message = applyOne(shop, mode, item, seen);
    if (message === undefined) return;
    failed += 1;
    errors[item.iv_id ?? `#${index}`] ??= message;
  });
  return { succeeded: items.length - failed, failed, errors };
}

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

const optional = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
/** Few values of each, so that batches collide with themselves and with what is there in every way they can. */
const item = (brandIds: (string | null)[]) =>
  fc.record(
    {
      iv_id: fc.option(fc.constantFrom('a', 'a_b', 'x', 'x_b', 'p', 'q', 'r'), { nil: undefined, freq: 20 }),
      name_en: optional<string | null>(['Milk', 'Dates', null]),
      vat_value: optional<number | null>([5, 15, 101, null]),
      barcode: optional<string | null>(['1', '2', '3', '', null]),
      brand_id: optional(brandIds),
      is_enabled: optional<boolean | null>([true, false, null]),
    },
    { requiredKeys: ['iv_id'] },
  );

type Step = { mode: string; items: Given[] } | { remove: string };

it('any sequence of batches comes to what its items would, one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          {
            weight: 6,
            arbitrary: fc.record({
              mode: fc.constantFrom('create', 'update', 'upsert', 'upsert'),
              items: fc.array(item(['known', 'unknown', null]), { maxLength: 14 }),
            }),
          },
          { weight: 1, arbitrary: fc.record({ remove: fc.constantFrom('a', 'a_b', 'x', 'p') }) },
        ),
        { minLength: 1, maxLength: 6 },
      ),
      playThrough,
    ),
    { numRuns: 40 },
  );
});

async function playThrough(steps: Step[]): Promise<void> {
  const { id, owner } = await testOrganization(service.sql);
  const as = (target: string, body?: unknown) => call(service.baseUrl, target, { token: owner.token, body });
  const brand = String((await as('POST /brands', { name_en: 'Known' })).body.data.id);
  const shop: Shop = { products: new Map(), brands: [brand], branches: ['c', 'b_c'] };
  for (const iv_id of shop.branches) await as('POST /branches', { iv_id });

  for (const step of steps) {
    if ('remove' in step) {
      const expected = shop.products.delete(step.remove) ? 204 : 404;
      expect((await as(`DELETE /products/code/${step.remove}?force=true`)).status).toBe(expected);
      continue;
    }
    const items = step.items.map((given) => (given.brand_id === 'known' ? { ...given, brand_id: brand } : given));
    const { body } = await as('POST /products/bulk', { mode: step.mode, products: items });
    expect(body.data).toEqual(applyBatch(shop, step.mode, items));
  }

  const { body } = await as('GET /products?limit=100&sort=iv_id');
  const stored = body.data.map((product: Fields & { iv_id: string }) => {
    const { iv_id, name_en, vat_value, barcode, brand_id, is_enabled } = product;
    return [iv_id, { name_en, vat_value, barcode, brand_id, is_enabled }];
  });
  expect(stored).toEqual([...shop.products].sort(([a], [b]) => (a < b ? -1 : 1)));
  expect(body.total_count).toBe(shop.products.size);
  const skus = await service.sql<{ iv_id: string }[]>`select iv_id from skus where organization_id = ${id}`;
  const pairs = [...shop.products.keys()].flatMap((ivId) => shop.branches.map((branch) => `${ivId}_${branch}`));
  expect(skus.map((sku) => sku.iv_id).sort()).toEqual(pairs.sort());
  const enabled = [...shop.products.values()].filter((product) => product.is_enabled).length;
  expect((await as('GET /products?is_enabled=true')).body.total_count).toBe(enabled);
}
