import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useFormat, useLanguage, useName, useWords } from '../../../i18n/index.ts';
import { Badge, type Column, DataTable, Skeletons } from '../../../ui/index.ts';
import { type Selection, selectColumn, sortBy } from '../../../ui/list/index.ts';
import { ProductPicture } from '../../../ui/product-picture.tsx';
import { useGroupNames } from '../group-names.ts';
import type { ProductSort } from '../searches.ts';
import type { Product } from './product-values.ts';
import { productsWords } from './words.ts';

const GroupedTable = lazy(async () => ({ default: (await import('./variants/grouped-table.tsx')).GroupedTable }));

export function ProductsTable(props: {
  rows: readonly Product[];
  isGrouped: boolean;
  sort: ProductSort;
  onSort(sort: ProductSort): void;
  selection: Selection<Product> | undefined;
}): ReactNode {
  const t = useWords(productsWords);
  const name = useName();
  const language = useLanguage();
  const { money, dateTime, when } = useFormat();
  const navigate = useNavigate();
  const { rows, selection } = props;
  const brandName = useGroupNames('brand', rows);
  const categoryName = useGroupNames('category', rows);
  const sort = { by: props.sort, onSort: props.onSort };
  const columns: Column<Product>[] = [
    ...(selection === undefined
      ? []
      : [
          selectColumn(selection, rows, {
            all: t('selectPage'),
            of: (row) => t('select', { name: name(row) || row.iv_id }),
          }),
        ]),
    {
      id: 'product',
      title: t('column.product'),
      width: 'minmax(180px, 3fr)',
      sort: sortBy(language === 'ar' ? 'name_ar' : 'name_en', { ...sort, first: 'ascending' }),
      render: (product) => (
        <span className="product-cell">
          <ProductPicture images={product.images} name={name(product) || product.iv_id} />
          <span className="ui-cell-two">
            <span className="clip strong">{name(product) || product.iv_id}</span>
            <span className="soft small clip">
              <span className="ltr">{product.iv_id}</span>
              {product.barcode !== '' && (
                <>
                  {' · '}
                  <span className="ltr">{product.barcode}</span>
                </>
              )}
            </span>
          </span>
        </span>
      ),
    },
    {
      id: 'brand',
      title: t('column.brand'),
      width: 'minmax(96px, 1fr)',
      from: 'wide',
      render: ({ brand_id }) => brandName(brand_id) ?? <span className="soft">—</span>,
    },
    {
      id: 'category',
      title: t('column.category'),
      width: 'minmax(110px, 1.2fr)',
      from: 'wide',
      render: ({ category_id }) => categoryName(category_id) ?? <span className="soft">—</span>,
    },
    {
      id: 'sale',
      title: t('column.sale'),
      width: '92px',
      render: ({ is_enabled }) => (
        <Badge tone={is_enabled ? 'good' : 'plain'}>{t(is_enabled ? 'sale.on' : 'sale.off')}</Badge>
      ),
    },
    {
      id: 'updated',
      title: t('column.updated'),
      width: '104px',
      from: 'medium',
      sort: sortBy('updated', sort),
      render: ({ updated }) => (
        <time dateTime={updated} title={dateTime(updated)} className="soft">
          {when(updated)}
        </time>
      ),
    },
    {
      id: 'price',
      title: t('column.price'),
      width: '110px',
      end: true,
      sort: sortBy('average_price', sort),
      render: ({ average_price }) => money(average_price),
    },
  ];
  const openProduct = ({ iv_id }: Product) => void navigate({ to: '/products/$ivId', params: { ivId: iv_id } });
  if (props.isGrouped) {
    return (
      <Suspense fallback={<Skeletons rows={rows.length} label={t('title')} />}>
        <GroupedTable columns={columns} rows={rows} selection={selection} onOpen={openProduct} />
      </Suspense>
    );
  }
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={rows}
      keyOf={({ iv_id }) => iv_id}
      onOpen={openProduct}
      {...(selection !== undefined && { isSelected: selection.has, onSelect: selection.toggle })}
    />
  );
}
