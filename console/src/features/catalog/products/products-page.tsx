import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Button, Card, EmptyState, Icon, Loaded, Page, Pager, Segments, useShortcuts } from '../../../ui/index.ts';
import '../catalog.css';
import { GroupFilters } from '../group-filters.tsx';
import { useMayCatalog } from '../may-catalog.ts';
import { SearchBox } from '../search-box.tsx';
import type { ProductsSearch } from '../searches.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ProductForm } from './product-form.tsx';
import type { Product } from './product-values.ts';
import { ProductsTable } from './products-table.tsx';
import { productsWords } from './words.ts';

const route = getRouteApi('/in/products');
const PER_PAGE = 50;

export function ProductsPage(): ReactNode {
  const t = useWords(productsWords);
  const common = useWords(commonWords);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/products' });
  const may = useMayCatalog();
  const [isCreating, setCreating] = useState(false);
  // Kept over pages and filters: whoever gathers products goes through several of them.
  const [selected, setSelected] = useState<ReadonlyMap<string, Product>>(new Map());
  const products = useRead('listProducts', { query: queryOf(search) }, { keepPrevious: true });
  useShortcuts(may.create ? { c: () => setCreating(true) } : {});

  const filter = (change: { [Key in keyof ProductsSearch]: ProductsSearch[Key] | undefined }) =>
    void navigate({ search: ({ page: _, ...before }) => present({ ...before, ...change }), replace: true });
  const isFiltered = Object.keys(search).some((name) => name !== 'page' && name !== 'sort');
  const total = products.data?.total_count;

  return (
    <Page
      title={t('title')}
      note={total === undefined ? ' ' : t('count', { count: total })}
      tools={
        <>
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
    >
      <Filters search={search} onFilter={filter} isFiltered={isFiltered} />
      <Card flush>
        <Loaded of={products} rows={12}>
          {({ data, total_count }) =>
            data.length === 0 ? (
              <EmptyState
                icon="products"
                title={isFiltered ? t('nothing') : t('empty')}
                hint={isFiltered ? t('nothingHint') : t('emptyHint')}
                {...(isFiltered && {
                  action: <Button onPress={() => void navigate({ search: {} })}>{common('clearFilters')}</Button>,
                })}
              />
            ) : (
              <>
                <ProductsTable
                  rows={data}
                  sort={search.sort ?? '-created'}
                  onSort={(sort) => filter({ sort })}
                  {...(may.import && {
                    selection: {
                      has: (ivId: string) => selected.has(ivId),
                      toggle: (product: Product) => setSelected((before) => toggled(before, product)),
                    },
                  })}
                />
                <div className="catalog-pager">
                  <Pager
                    page={search.page ?? 1}
                    perPage={PER_PAGE}
                    total={total_count}
                    onPage={(page) =>
                      void navigate({ search: (before) => present({ ...before, page: page > 1 ? page : undefined }) })
                    }
                  />
                </div>
              </>
            )
          }
        </Loaded>
      </Card>
      {selected.size > 0 && (
        <BulkBar
          selected={[...selected.values()]}
          onSelectPage={() =>
            setSelected(
              (before) => new Map([...before, ...(products.data?.data ?? []).map((one) => [one.iv_id, one] as const)]),
            )
          }
          onClear={() => setSelected(new Map())}
        />
      )}
      {isCreating && <ProductForm onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Filters(props: {
  search: ProductsSearch;
  onFilter(change: { [Key in keyof ProductsSearch]: ProductsSearch[Key] | undefined }): void;
  isFiltered: boolean;
}): ReactNode {
  const t = useWords(productsWords);
  const common = useWords(commonWords);
  const { search, onFilter } = props;
  return (
    <search className="catalog-filters">
      <SearchBox
        label={t('searchLabel')}
        placeholder={t('search')}
        text={search.search ?? ''}
        onText={(text) => onFilter({ search: text === '' ? undefined : text })}
      />
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
      {props.isFiltered && (
        <Button
          look="quiet"
          onPress={() => onFilter({ search: undefined, brand: undefined, category: undefined, sale: undefined })}
        >
          {common('clearFilters')}
        </Button>
      )}
    </search>
  );
}

function queryOf({ search, brand, category, sale, sort, page }: ProductsSearch) {
  return {
    page: page ?? 1,
    limit: PER_PAGE,
    ...(search && { search }),
    ...(brand && { brand_id: brand }),
    ...(category && { category_id: category }),
    ...(sale && { is_enabled: sale === 'on' }),
    ...(sort && { sort }),
  };
}

function toggled(before: ReadonlyMap<string, Product>, product: Product): ReadonlyMap<string, Product> {
  const after = new Map(before);
  if (!after.delete(product.iv_id)) after.set(product.iv_id, product);
  return after;
}

function present(search: { [Key in keyof ProductsSearch]: ProductsSearch[Key] | undefined }): ProductsSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
