import { type Reply, type ReplyBody, type TestShop, testShop } from '../../../../test/harness/index.ts';
import { seedCatalog } from '../../skus/testing/catalog.ts';

/** A shop with three articles in two branches, and a VAT number. */
export async function openTill(...settings: Parameters<typeof testShop>): Promise<TestShop & TillTools> {
  const shop = await testShop(...settings);
  const { sql } = shop.service;
  const { branchIds } = await seedCatalog(sql, shop.shop.id, {
    products: [
      { iv_id: 'MILK', name_en: 'Milk', name_ar: 'حليب', average_price: 6 },
      { iv_id: 'DATES', name_en: 'Dates', name_ar: 'تمر عجوة', average_price: 55.25 },
      { iv_id: 'BREAD', name_en: 'Bread', average_price: 1.5 },
    ],
    branches: ['RUH-1', 'JED-1'],
  });
  await sql`update products set barcode = '628' || iv_id where organization_id = ${shop.shop.id}`;
  await sql`update organizations set vat_number = '300000000000003' where id = ${shop.shop.id}`;
  return {
    ...shop,
    branchIds,
    sell: (body, options) =>
      shop.ask('POST /till/orders', { body: { branch_iv_id: 'RUH-1', payment_method: 'cash', ...body }, ...options }),
    async setStock(quantity, price = null) {
      await sql`update skus set current_qty = ${quantity}, price = ${price} where organization_id = ${shop.shop.id}`;
    },
    async stockOf(ivId) {
      const [row] = await sql<{ current_qty: number }[]>`
        select current_qty from skus where organization_id = ${shop.shop.id} and iv_id = ${ivId}`;
      return row?.current_qty;
    },
  };
}

type TillTools = {
  branchIds: Map<string, string>;
  /** At RUH-1 for cash, unless the body says otherwise. */
  sell(body: Record<string, unknown>, options?: Parameters<TestShop['ask']>[1]): Promise<Reply<ReplyBody>>;
  /** Of every SKU. */
  setStock(quantity: number, price?: number | null): Promise<void>;
  stockOf(ivId: string): Promise<number | undefined>;
};
