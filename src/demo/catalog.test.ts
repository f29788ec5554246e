import { beforeAll, describe, expect, it } from 'vitest';
import { call, type TestService, testService } from '../../test/harness/index.ts';
import { loadDemo } from './index.ts';
import { type DemoOrganization, readLogins } from './logins.ts';
import { ean13, generateProducts } from './products.ts';
import { seededRandom } from './random.ts';
import { generateStock } from './stock.ts';
import { GROCERY_BRANCHES, PHARMACY_BRANCHES } from './words/branches.ts';
import { GROCERY } from './words/grocery.ts';
import { PHARMACY } from './words/pharmacy.ts';

const LISTS = [
  { name: 'pharmacy', words: PHARMACY, branches: PHARMACY_BRANCHES },
  { name: 'grocery', words: GROCERY, branches: GROCERY_BRANCHES },
];

describe.each(LISTS)('the $name word list', ({ words, branches }) => {
  const products = generateProducts(words, '7201', seededRandom(1));

  it('makes the same products from the same seed', () => {
    expect(generateProducts(words, '7201', seededRandom(1))).toEqual(products);
  });

  it('makes some hundred products with both names, a price and a barcode, none twice', () => {
    expect(products.length).toBeGreaterThan(350);
    for (const product of products) {
      expect(product.name_en).toMatch(/^[\p{Script=Latin}\d]/u);
      expect(product.name_ar).toMatch(/^\p{Script=Arabic}/u);
      expect(product.name_en).not.toMatch(/\p{Script=Arabic}|\s\s|\s$/u);
      expect(product.average_price).toBeGreaterThan(0);
      expect(Number((product.average_price * 100).toFixed(6)) % 5).toBe(0);
    }
    for (const field of ['iv_id', 'name_en', 'name_ar', 'barcode'] as const) {
      expect(new Set(products.map((product) => product[field])).size).toBe(products.length);
    }
  });

  it('uses every word that it has', () => {
    const used = (place: 0 | 3 | 4) => new Set<string>(words.lines.map((line) => line[place]));
    expect(Object.keys(words.brands).filter((key) => !used(0).has(key))).toEqual([]);
    expect(Object.keys(words.categories).filter((key) => !used(3).has(key))).toEqual([]);
    expect(Object.keys(words.sizes).filter((key) => !used(4).has(key))).toEqual([]);
  });

  it('stocks every branch, a tenth of it low', () => {
    const ivIds = branches.map((branch) => branch.iv_id);
    const stock = generateStock(products, ivIds, seededRandom(1));
    expect(stock).toHaveLength(products.length * branches.length);
    const low = stock.filter((sku) => sku.current_qty <= sku.reorder_threshold).length / stock.length;
    expect(low).toBeGreaterThan(0.06);
    expect(low).toBeLessThan(0.14);
  });
});

describe('ean13', () => {
  it.each(['4006381333931', '5901234123457', '9780201379624', '0000000000000'])('ends %s as printed', (barcode) => {
    expect(ean13(barcode.slice(0, 12))).toBe(barcode);
  });
});

describe('the loaded demo', () => {
  let service: TestService;
  let shops: DemoOrganization[];

  beforeAll(async () => {
    service = await testService();
    expect(await loadDemo(service.platform, { onlyWhenEmpty: true })).toBe(true);
    shops = (await readLogins(service.dataDir))?.organizations ?? [];
    expect(shops).toHaveLength(2);
  });

  const total = async (shop: DemoOrganization, path: string, token = shop.owner.token) => {
    const { status, body } = await call<{ total_count: number }>(service.baseUrl, `GET ${path}`, { token });
    expect(status).toBe(200);
    return body.total_count;
  };

  it('gives each shop its branches, products and the whole matrix', async () => {
    for (const [index, shop] of shops.entries()) {
      const list = LISTS[index];
      const products = generateProducts(list?.words ?? PHARMACY, '7201', seededRandom(1)).length;
      const branches = list?.branches.length ?? 0;
      expect(await total(shop, '/branches')).toBe(branches);
      expect(await total(shop, '/products')).toBe(products);
      expect(await total(shop, '/skus')).toBe(products * branches);
      expect(await total(shop, '/skus?is_enabled=true')).toBeGreaterThan(products * branches * 0.95);
      expect(await total(shop, '/skus?low_stock=true')).toBeGreaterThan(products * branches * 0.06);
      expect(await total(shop, '/brands')).toBe(Object.keys(list?.words.brands ?? {}).length);
      expect(await total(shop, '/categories')).toBe(Object.keys(list?.words.categories ?? {}).length);
    }
  });

  it('leaves no product without a brand, a category or a name', async () => {
    const rows = await service.sql`
      select iv_id from products
      where name_en = '' or name_ar = '' or brand_id is null or category_id is null or barcode !~ '^628[0-9]{10}$'`;
    expect(rows.map((row) => row.iv_id)).toEqual([]);
    const vat = await service.sql<{ category: string; vat: number }[]>`
      select distinct c.name_en as category, p.vat_value as vat
      from products p join categories c on c.organization_id = p.organization_id and c.id = p.category_id`;
    expect(vat).toContainEqual({ category: 'Pain and fever', vat: 0 });
    expect(vat).toContainEqual({ category: 'Vitamins and supplements', vat: 15 });
    expect(vat).toContainEqual({ category: 'Dairy and cheese', vat: 15 });
  });

  it('has hours with split and overnight windows', async () => {
    const [counted] = await service.sql<{ split: number; overnight: number; closed: number }[]>`
      select
        count(*) filter (where (select count(*) from jsonb_array_elements(working_hours_periods) p
                                where p->>'WeekDay' = 'Friday') > 1) as split,
        count(*) filter (where exists (select from jsonb_array_elements(working_hours_periods) p
                                       where (p->>'CloseHour')::int < (p->>'OpenHour')::int)) as overnight,
        count(*) filter (where not exists (select from jsonb_array_elements(working_hours_periods) p
                                           where p->>'WeekDay' = 'Friday')) as closed
      from branches`;
    expect(counted?.split).toBeGreaterThan(3);
    expect(counted?.overnight).toBeGreaterThan(3);
    expect(counted?.closed).toBeGreaterThan(0);
  });

  it('lets a branch user see its own branch alone', async () => {
    for (const shop of shops) {
      const { token, branch_iv_id: ivId } = shop.branch_user;
      expect(ivId).not.toBe('');
      expect(await total(shop, '/branches', token)).toBe(1);
      expect((await call(service.baseUrl, `GET /branches/${ivId}`, { token })).status).toBe(200);
      expect(await total(shop, '/skus', token)).toBe(await total(shop, '/products'));
      const { body } = await call<{ data: { branch_iv_id: string }[] }>(service.baseUrl, 'GET /skus?limit=100', {
        token,
      });
      expect(new Set(body.data.map((sku) => sku.branch_iv_id))).toEqual(new Set([ivId]));
    }
  });

  it('finds goods in both languages', async () => {
    const [pharmacy, grocery] = shops;
    if (pharmacy === undefined || grocery === undefined) throw new Error('two shops were promised');
    expect(await total(pharmacy, `/products?search=${encodeURIComponent('بنادول اكسترا')}`)).toBe(4);
    expect(await total(grocery, '/skus?search=ajwa&branch_iv_id=JED-SAFA')).toBe(4);
  });

  it('has an audit of weeks: small changes by people of the shop, and nothing of the load itself', async () => {
    for (const shop of shops) {
      const asked = await call<{ data: { actor: { name: string }; at: string }[]; total_count: number }>(
        service.baseUrl,
        'GET /audit?limit=100',
        { token: shop.owner.token },
      );
      const { data, total_count } = asked.body;
      expect(total_count).toBe(8 * 3 + 2 * 12 + 2);
      const names = new Set(data.map(({ actor }) => actor.name));
      expect(names).toEqual(new Set([shop.owner.email, shop.member.email, shop.branch_user.email]));
      expect(new Set(data.map(({ at }) => at.slice(0, 10))).size).toBeGreaterThan(8);
    }
  });

  it('is not loaded twice', async () => {
    const count = async () => await service.sql`select (select count(*) from skus), (select count(*) from users)`;
    const before = await count();
    const logins = await readLogins(service.dataDir);
    expect(await loadDemo(service.platform, { onlyWhenEmpty: false })).toBe(false);
    expect(await loadDemo(service.platform, { onlyWhenEmpty: true })).toBe(false);
    expect(await count()).toEqual(before);
    expect(await readLogins(service.dataDir)).toEqual(logins);
  });
});
