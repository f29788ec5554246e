import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { commonWords, useLanguage, useWords } from '../../../i18n/index.ts';
import { type SearchChange, useApi, useHasDraft, useRead } from '../../../platform/index.ts';
import { ExportButton } from '../../../ui/export-button.tsx';
import { Button, Icon, Segments, useShortcuts } from '../../../ui/index.ts';
import { extentOfData, FilterCheckbox, ListPage, useListSearch, useSelection } from '../../../ui/list/index.ts';
import '../catalog.css';
import { GroupFilters } from '../group-filters.tsx';
import { useMayCatalog } from '../may-catalog.ts';
import type { ProductsSearch } from '../searches.ts';
import { PRODUCT_DRAFT } from './product-draft.ts';
import type { Product } from './product-values.ts';
import { ProductsTable } from './products-table.tsx';
import { schedulesWords } from './schedules/words.ts';
import { variantsWords } from './variants/words.ts';
import { productsWords } from './words.ts';

const route = getRouteApi('/in/products');
const PER_PAGE = 50;
// Loaded when it is wanted: its fields and dialogs are 31 kB that the rows waited for.
const ProductForm = lazy(async () => ({ default: (await import('./product-form.tsx')).ProductForm }));
const ProductsBulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).ProductsBulkBar }));
const SchedulesDialog = lazy(async () => ({
  default: (await import('./schedules/schedules-dialog.tsx')).SchedulesDialog,
}));

export function ProductsPage(): ReactNode {
  const t = useWords(productsWords);
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/products' }), { keep: ['variants'] });
  const may = useMayCatalog();
  const api = useApi();
  const [isCreating, setCreating] = useState(useHasDraft(PRODUCT_DRAFT) && may.create);
  const schedules = useWords(schedulesWords);
  const [isShowingSchedules, setShowingSchedules] = useState(false);
  const selection = useSelection<Product>(({ iv_id }) => iv_id);
  const products = useRead('listProducts', { query: queryOf(search) }, { keepPrevious: true });
  useShortcuts(may.create ? { c: () => setCreating(true) } : {});
  return (
    <ListPage
      title={t('title')}
      count={(total) => t('count', { count: total })}
      tools={
        <>
          {may.update && (
            <Button icon="clock" onPress={() => setShowingSchedules(true)}>
              {schedules('list')}
            </Button>
          )}
          {may.export && (
            <ExportButton
              name="products"
              total={products.data?.total_count}
              load={() => api.call('exportProducts', { query: filterOf(search) })}
            />
          )}
          {may.import && (
            <Link to="/products/import" className="ui-button">
              <Icon name="export" />
              {t('import')}
            </Link>
          )}
          {may.create && (
            <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
              {t('create')}
            </Button>
          )}
        </>
      }
      list={list}
      searchField={{ label: t('searchLabel'), placeholder: t('search') }}
      filters={<Filters search={search} onFilter={list.filter} />}
      answer={products}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      skeletonRows={12}
      empty={{ icon: 'products', title: t('empty'), hint: t('emptyHint') }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      bulk={
        selection.rows.length > 0 && (
          <Suspense>
            <ProductsBulkBar selection={selection} page={products.data?.data ?? []} />
          </Suspense>
        )
      }
      after={
        <>
          <Suspense>{isCreating && <ProductForm onClose={() => setCreating(false)} />}</Suspense>
          <Suspense>{isShowingSchedules && <SchedulesDialog onClose={() => setShowingSchedules(false)} />}</Suspense>
        </>
      }
    >
      {({ data }) => (
        <ProductsTable
          rows={data}
          isGrouped={search.variants === 'grouped'}
          sort={search.sort ?? '-created'}
          onSort={(sort) => list.filter({ sort })}
          selection={may.import ? selection : undefined}
        />
      )}
    </ListPage>
  );
}

function Filters(props: { search: ProductsSearch; onFilter(change: SearchChange<ProductsSearch>): void }): ReactNode {
  const t = useWords(productsWords);
  const common = useWords(commonWords);
  const variants = useWords(variantsWords);
  const language = useLanguage();
  const { search, onFilter } = props;
  return (
    <>
      <Segments
        label={t('sale')}
        value={search.sale ?? 'all'}
        onChange={(value) => onFilter({ sale: value === 'all' ? undefined : value })}
        options={[
          { value: 'all' as const, text: common('all') },
          { value: 'on' as const, text: t('sale.on') },
          { value: 'off' as const, text: t('sale.off') },
        ]}
      />
      <GroupFilters search={search} onFilter={onFilter} />
      <FilterCheckbox
        isSelected={search.variants === 'grouped'}
        // Sorted by name, variants are on one page; another sort that the user chose stays.
        onChange={(isOn) =>
          onFilter({
            variants: isOn ? 'grouped' : undefined,
            ...(isOn && search.sort === undefined && { sort: language === 'ar' ? 'name_ar' : 'name_en' }),
          })
        }
      >
        {variants('group')}
      </FilterCheckbox>
    </>
  );
}

function queryOf(search: ProductsSearch) {
  return { page: search.page ?? 1, limit: PER_PAGE, ...filterOf(search) };
}

function filterOf({ search, brand, category, sale, sort }: ProductsSearch) {
  return {
    ...(search && { search }),
    ...(brand && { brand_id: brand }),
    ...(category && { category_id: category }),
    ...(sale && { is_enabled: sale === 'on' }),
    ...(sort && { sort }),
  };
}
