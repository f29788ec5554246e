import {
  call,
  type Reply,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { type MovableClock, movableClock } from '../../../platform/clock.ts';
import { seedCatalog } from './catalog.ts';

export const PRODUCTS = [
  { iv_id: 'PAN-500', name_en: 'Panadol Extra', name_ar: 'بنادول إكسترا', average_price: 8.75 },
  { iv_id: 'MILK_1L', name_en: 'Fresh Milk', name_ar: 'حليب طازج', average_price: 6 },
  { iv_id: 'DATES', name_en: 'Ajwa Dates', name_ar: 'تمر عجوة', average_price: 55 },
];
export const BRANCHES = ['RUH-01', 'JED-01', 'DMM_02'];

/** Whatever a SKU route may answer; each test reads the part that its answer has. */
export type Answer = {
  code: number;
  details: Record<string, string>;
  data: Record<string, unknown> & { errors: Record<string, string> };
  total_count: number;
  current_qty: number;
};

export type Shop = {
  service: TestService;
  clock: MovableClock;
  shop: TestOrganization;
  /** Has one SKU, of an iv_id that the shop has too. */
  other: TestOrganization;
  viewer: TestAccount;
  /** Confined to JED-01. */
  confined: TestAccount;
  branchIds: Map<string, string>;
  get(path: string, token?: string): Promise<Reply<Answer>>;
  patch(ivId: string, body: unknown, token?: string): Promise<Reply<Answer>>;
  bulk(skus: unknown, token?: string): Promise<Reply<Answer>>;
};

/** A shop of three products in three branches, another beside it, and everyone who may or may not look. */
export async function openShop(): Promise<Shop> {
  const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
  const service = await testService({}, { clock });
  const { sql, baseUrl } = service;
  const shop = await testOrganization(sql);
  const other = await testOrganization(sql);
  const catalog = { products: PRODUCTS, branches: BRANCHES };
  const { branchIds } = await seedCatalog(sql, shop.id, catalog, new Date('2026-11-01T00:00:00Z'));
  await seedCatalog(sql, other.id, { products: [{ iv_id: 'PAN-500' }], branches: ['RUH-01'] });
  return {
    service,
    clock,
    shop,
    other,
    viewer: await testAccount(sql, shop.id, 'viewer'),
    confined: await testAccount(sql, shop.id, 'member', { branchId: branchIds.get('JED-01') }),
    branchIds,
    get: (path, token = shop.owner.token) => call<Answer>(baseUrl, `GET ${path}`, { token }),
    patch: (ivId, body, token = shop.owner.token) =>
      call<Answer>(baseUrl, `PATCH /skus/${encodeURIComponent(ivId)}`, { token, body }),
    bulk: (skus, token = shop.owner.token) =>
      call<Answer>(baseUrl, 'POST /skus/bulk', { token, body: { mode: 'update', skus } }),
  };
}
