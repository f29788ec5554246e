import { type ReactNode, useMemo, useState } from 'react';
import { useFormat, useName, useWords } from '../../../../i18n/index.ts';
import { Badge, Checkbox, type Column, DataTable, Icon } from '../../../../ui/index.ts';
import type { Selection } from '../../../../ui/list/index.ts';
import { ProductPicture } from '../../../../ui/product-picture.tsx';
import { bySize, groupVariants, splitName, type VariantGroup } from '../../../../ui/product-variants.ts';
import type { Product } from '../product-values.ts';
import { productsWords } from '../words.ts';
import './variants.css';
import { variantsWords } from './words.ts';

type Group = VariantGroup<Product>;
type Row = { product: Product; isVariant: boolean } | { group: Group; isOpen: boolean };

/**
 * The list with one row for each group of variants. Only the products of this page are known, so a group whose variants are on two pages
 * is shown on both with its part; sorted by name, variants are next to each other.
 */
export function GroupedTable(props: {
  columns: readonly Column<Product>[];
  rows: readonly Product[];
  selection: Selection<Product> | undefined;
  onOpen(product: Product): void;
}): ReactNode {
  const t = useWords(productsWords);
  const { rows, selection, onOpen } = props;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(() => groupVariants(rows), [rows]);
  const toggle = ({ key }: Group) =>
    setOpened((now) => (now.has(key) ? new Set([...now].filter((one) => one !== key)) : new Set([...now, key])));
  const cell = useGroupCell(selection, toggle);
  const columns = props.columns.map(
    (column): Column<Row> => ({
      ...column,
      render: (row) =>
        'group' in row ? (
          cell(column, row.group, row.isOpen)
        ) : row.isVariant && column.id === 'product' ? (
          <Member product={row.product} />
        ) : (
          column.render(row.product)
        ),
    }),
  );
  return (
    <DataTable<Row>
      label={t('title')}
      columns={columns}
      rows={rowsOf(rows, groups, opened)}
      keyOf={(row) => ('group' in row ? row.group.key : row.product.iv_id)}
      onOpen={(row) => ('group' in row ? toggle(row.group) : onOpen(row.product))}
      {...(selection !== undefined && {
        isSelected: (row: Row) => productsOf(row).every(selection.has),
        onSelect: (row: Row) => selection.setAll(productsOf(row), !productsOf(row).every(selection.has)),
      })}
    />
  );
}

const productsOf = (row: Row) => ('group' in row ? row.group.products : [row.product]);

/** A group stands where its first product stood. */
function rowsOf(rows: readonly Product[], groups: readonly Group[], opened: ReadonlySet<string>): Row[] {
  const groupOf = new Map(groups.flatMap((group) => group.products.map((product) => [product, group] as const)));
  return rows.flatMap((product): Row[] => {
    const group = groupOf.get(product);
    if (group === undefined) return [{ product, isVariant: false }];
    if (group.products[0] !== product) return [];
    const isOpen = opened.has(group.key);
    const members = isOpen ? bySize(group.products).map((member) => ({ product: member, isVariant: true })) : [];
    return [{ group, isOpen }, ...members];
  });
}

function useGroupCell(selection: Selection<Product> | undefined, toggle: (group: Group) => void) {
  const t = useWords(variantsWords);
  const products = useWords(productsWords);
  const name = useName();
  const { money, when } = useFormat();
  return (column: Column<Product>, group: Group, isOpen: boolean): ReactNode => {
    const members = group.products;
    const [first] = members;
    if (first === undefined) return null;
    const shown = splitName(name(first))?.base ?? name(first);
    switch (column.id) {
      case 'select': {
        const isAll = selection !== undefined && members.every(selection.has);
        return (
          <Checkbox
            aria-label={t('select', { name: shown })}
            excludeFromTabOrder
            isSelected={isAll}
            isIndeterminate={!isAll && selection !== undefined && members.some(selection.has)}
            onChange={(isOn) => selection?.setAll(members, isOn)}
          />
        );
      }
      case 'product':
        return (
          <span className="product-cell">
            <ProductPicture images={first.images} name={shown} />
            <span className="ui-cell-two">
              <span className="clip strong">{shown}</span>
              <button
                type="button"
                className="variant-toggle small"
                aria-expanded={isOpen}
                aria-label={`${t('show', { name: shown })}: ${t('count', { count: members.length })}`}
                tabIndex={-1}
                onClick={() => toggle(group)}
              >
                <Icon name={isOpen ? 'up' : 'down'} /> {t('count', { count: members.length })}
              </button>
            </span>
          </span>
        );
      case 'sale': {
        const on = members.filter(({ is_enabled }) => is_enabled).length;
        if (on > 0 && on < members.length) return t('someOnSale', { on, all: members.length });
        return <Badge tone={on > 0 ? 'good' : 'plain'}>{products(on > 0 ? 'sale.on' : 'sale.off')}</Badge>;
      }
      case 'updated':
        return <span className="soft">{when(latestOf(members))}</span>;
      case 'price': {
        const prices = members.map(({ average_price }) => average_price);
        const [from, to] = [Math.min(...prices), Math.max(...prices)];
        return from === to ? money(from) : <PriceRange from={money(from)} to={money(to)} />;
      }
      // Brand and category: all variants have the same.
      default:
        return column.render(first);
    }
  };
}

/** Under the name of its group a variant is named by what differs: the full name would be cut off before it. */
function Member({ product }: { product: Product }): ReactNode {
  const name = useName();
  const { iv_id, barcode, images } = product;
  return (
    <span className="product-cell variant-member">
      <ProductPicture images={images} name={name(product)} />
      <span className="ui-cell-two">
        <bdi className="clip strong">{splitName(name(product))?.label ?? name(product)}</bdi>
        <span className="soft small clip ltr">{[iv_id, barcode].filter(Boolean).join(' · ')}</span>
      </span>
    </span>
  );
}

function PriceRange({ from, to }: { from: string; to: string }): ReactNode {
  return (
    <span className="ui-cell-two">
      <span>{from} –</span>
      <span>{to}</span>
    </span>
  );
}

function latestOf(products: readonly Product[]): string {
  return products.reduce((latest, { updated }) => (updated > latest ? updated : latest), '');
}
