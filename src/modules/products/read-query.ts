import { readSort } from '../../platform/http/paging.ts';
import { badRequest } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { foldForSearch } from '../../platform/text/folding.ts';
import { type ProductFilter, type ProductSort, SORT_COLUMNS } from './sql/list.ts';

export function readProductSort({ sort }: { sort?: string }): ProductSort {
  return readSort(sort, SORT_COLUMNS, { column: 'created', descending: true });
}

type GivenFilter = { search?: string; brand_id?: string; category_id?: string; is_enabled?: boolean };

/** Names only what was asked for: an empty filter is the whole list. */
export function readFilter(query: GivenFilter): ProductFilter {
  const filter: ProductFilter = {};
  const search = foldForSearch(query.search ?? '');
  if (search !== '') filter.search = search;
  if (query.brand_id !== undefined) filter.brandId = readId('brand_id', query.brand_id);
  if (query.category_id !== undefined) filter.categoryId = readId('category_id', query.category_id);
  if (query.is_enabled !== undefined) filter.isEnabled = query.is_enabled;
  return filter;
}

function readId(field: string, text: string): string {
  if (!isId(text)) throw badRequest({ [field]: 'must be an id' }, 'Invalid request parameters');
  return text.toLowerCase();
}
