import type { Queryable } from '../../../platform/database/index.ts';

/** What a cashier can put on a bill. */
export type SaleItem = {
  sku_iv_id: string;
  product_iv_id: string;
  barcode: string;
  name_en: string;
  name_ar: string;
  /** With VAT, as shelf prices are. Decimal text. */
  price: string;
  vat_value: number;
  is_enabled: boolean;
};

/** Those of one branch that are called so, by their own iv_id or their product's barcode. */
export function listSaleItems(
  sql: Queryable,
  { organizationId, branchId }: { organizationId: string; branchId: string },
  { skuIvIds, barcodes }: { skuIvIds: readonly string[]; barcodes: readonly string[] },
): Promise<SaleItem[]> {
  const columns = sql`
    s.iv_id as sku_iv_id, p.iv_id as product_iv_id, p.barcode, p.name_en, p.name_ar,
    coalesce(s.price, p.average_price)::text as price, p.vat_value, s.is_enabled and p.is_enabled as is_enabled`;
  // Two halves, each with an index of its own; an `or` over both tables would have none.
  return sql<SaleItem[]>`
    select ${columns}
    from skus s join products p on p.organization_id = s.organization_id and p.id = s.product_id
    where s.organization_id = ${organizationId} and s.branch_id = ${branchId} and s.iv_id = any(${[...skuIvIds]}::text[])
    union
    select ${columns}
    from products p
    join skus s on s.organization_id = p.organization_id and s.product_id = p.id and s.branch_id = ${branchId}
    where p.organization_id = ${organizationId} and p.barcode = any(${[...barcodes]}::text[]) and p.barcode <> ''
      and not p.is_deleted`;
}

export type VatRates = { products: Map<string, number>; skus: Map<string, number> };

/** VAT in percent by which the catalog knows these goods, by iv_id of the product and of the SKU. */
export async function readVatRates(
  sql: Queryable,
  organizationId: string,
  { productIvIds, skuIvIds }: { productIvIds: readonly string[]; skuIvIds: readonly string[] },
): Promise<VatRates> {
  const rows = await sql<{ kind: 'product' | 'sku'; iv_id: string; vat_value: number }[]>`
    select 'product' as kind, p.iv_id, p.vat_value from products p
    where p.organization_id = ${organizationId} and p.iv_id = any(${[...productIvIds]}::text[]) and not p.is_deleted
    union all
    select 'sku' as kind, s.iv_id, p.vat_value
    from skus s join products p on p.organization_id = s.organization_id and p.id = s.product_id
    where s.organization_id = ${organizationId} and s.iv_id = any(${[...skuIvIds]}::text[])`;
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map((row) => [row.iv_id, row.vat_value]));
  return { products: of('product'), skus: of('sku') };
}
