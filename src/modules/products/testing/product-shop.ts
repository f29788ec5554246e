import { expect } from 'vitest';
import { testAccount, testOrganization, testShop } from '../../../../test/harness/index.ts';

/** A shop with two branches, a brand and a category, a viewer, an account confined to one branch, and a neighbour. */
export async function testProductShop() {
  const { service, shop, ask } = await testShop();
  const asOwner = (target: string, body?: unknown, headers?: Record<string, string>) => ask(target, { body, headers });
  const as = (account: { token: string }, target: string, body?: unknown) =>
    ask(target, { token: account.token, body });

  async function createGroup(kind: 'brands' | 'categories', owner = shop.owner): Promise<string> {
    const { body } = await as(owner, `POST /${kind}`, { name_en: 'Almarai' });
    return String(body.data.id);
  }

  let counter = 0;
  async function createProduct(fields: Record<string, unknown> = {}): Promise<string> {
    counter += 1;
    const ivId = `P-${counter}`;
    const { status } = await asOwner('POST /products', { iv_id: ivId, ...fields });
    expect(status).toBe(201);
    return ivId;
  }

  const neighbour = await testOrganization(service.sql);
  const viewer = await testAccount(service.sql, shop.id, 'viewer');
  const brandId = await createGroup('brands');
  const categoryId = await createGroup('categories');
  const branch = await asOwner('POST /branches', { iv_id: 'RUH-1' });
  await asOwner('POST /branches', { iv_id: 'JED-1' });
  const confined = await testAccount(service.sql, shop.id, 'member', { branchId: String(branch.body.data.id) });
  const people = { viewer, confined, neighbour };
  return { service, shop, ...people, brandId, categoryId, ask, asOwner, as, createGroup, createProduct };
}

/** Every plain field, none as it is by default. */
export const full = {
  name_en: 'Panadol Extra',
  name_ar: 'بنادول إكسترا',
  average_price: 18.95,
  vat_value: 15,
  generic_id: 'paracetamol',
  is_enabled: false,
};

/** What a product has that was given nothing but its iv_id. */
export const defaults = {
  name_en: '',
  name_ar: '',
  average_price: 0,
  vat_value: 0,
  barcode: '',
  brand_id: null,
  category_id: null,
  generic_id: '',
  is_enabled: true,
  is_deleted: false,
  images: [],
};
