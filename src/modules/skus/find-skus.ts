import { readTotal, type Sql } from '../../platform/database/index.ts';
import { type Paging, readPaging, readSort } from '../../platform/http/paging.ts';
import { foldForSearch } from '../../platform/text/folding.ts';
import { type SkuQueryShape, SORT_COLUMNS } from './schema.ts';
import { splitSearch } from './split-search.ts';
import { countSkus, findParentIds, listBranchNames, listSkus, type SkuFilter } from './sql/list.ts';
import type { SkuRow, SkuScope } from './sql/skus.ts';

export type FoundSkus = { rows: SkuRow[]; total: number; paging: Paging };

export async function findSkus(sql: Sql, scope: SkuScope, query: SkuQueryShape): Promise<FoundSkus> {
  const paging = readPaging(query);
  const sort = readSort(query.sort, SORT_COLUMNS, { column: 'created', descending: true });
  const parents = await readParents(sql, scope.organizationId, query);
  if (parents === 'unknown') return { rows: [], total: 0, paging };
  const filter: SkuFilter = {
    ...scope,
    ...parents,
    isEnabled: query.is_enabled,
    lowStock: query.low_stock,
    search: await readSearch(sql, scope.organizationId, query.search),
  };
  const [rows, total] = await Promise.all([
    listSkus(sql, filter, sort, paging),
    isWholeList(filter) ? readTotal(sql, scope.organizationId, 'skus') : countSkus(sql, filter),
  ]);
  return { rows, total, paging };
}

async function readParents(
  sql: Sql,
  organizationId: string,
  { product_iv_id: productIvId, branch_iv_id: branchIvId }: SkuQueryShape,
): Promise<Pick<SkuFilter, 'productId' | 'branchId'> | 'unknown'> {
  if (productIvId === undefined && branchIvId === undefined) return {};
  const found = await findParentIds(sql, organizationId, { productIvId, branchIvId });
  const isUnknown =
    (productIvId !== undefined && found.productId === undefined) ||
    (branchIvId !== undefined && found.branchId === undefined);
  return isUnknown ? 'unknown' : found;
}

async function readSearch(sql: Sql, organizationId: string, search: string | undefined): Promise<SkuFilter['search']> {
  const folded = foldForSearch(search ?? '');
  if (folded === '') return undefined;
  return { folded, places: splitSearch(folded, await listBranchNames(sql, organizationId)) };
}

function isWholeList({ organizationId, onlyBranchId, ...filters }: SkuFilter): boolean {
  return onlyBranchId === null && Object.values(filters).every((value) => value === undefined);
}
