import { type ExportedColumn, exportRows, MAX_EXPORT_ROWS } from '../../../platform/csv/index.ts';
import type { Sql } from '../../../platform/database/index.ts';
import type { Product } from '../product.ts';
import { findProductsByIds, listProductIds } from '../sql/export.ts';
import type { ProductFilter, ProductSort } from '../sql/list.ts';

export type ExportQuery = { filter: ProductFilter; sort: ProductSort; urlOf: (key: string) => string };

/** Named as the fields of a product, so that the file can be changed and imported again. */
const columnsOf = (urlOf: ExportQuery['urlOf']): ExportedColumn<Product>[] => [
  ['iv_id', ({ iv_id }) => iv_id],
  ['name_en', ({ name_en }) => name_en],
  ['name_ar', ({ name_ar }) => name_ar],
  ['average_price', ({ average_price }) => average_price],
  ['vat_value', ({ vat_value }) => vat_value],
  ['barcode', ({ barcode }) => barcode],
  ['brand_id', ({ brand_id }) => brand_id],
  ['category_id', ({ category_id }) => category_id],
  ['generic_id', ({ generic_id }) => generic_id],
  ['is_enabled', ({ is_enabled }) => String(is_enabled)],
  ['images', ({ images }) => images.map(({ key }) => urlOf(key)).join(' | ')],
  ['created', ({ created }) => created.toISOString()],
  ['updated', ({ updated }) => updated.toISOString()],
];

/** One statement selects and sorts, so each product appears once and whether there are more is known before the first row. */
export async function exportProducts(sql: Sql, organizationId: string, { filter, sort, urlOf }: ExportQuery) {
  const ids = await listProductIds(sql.expensive, organizationId, filter, sort, MAX_EXPORT_ROWS + 1);
  const readRows = (wanted: string[]) => findProductsByIds(sql, organizationId, wanted);
  return exportRows({ columns: columnsOf(urlOf), ids, readRows });
}
