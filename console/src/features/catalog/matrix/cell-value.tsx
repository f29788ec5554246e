import type { ReactNode } from 'react';
import type { MatrixShow } from '../searches.ts';
import type { MatrixColumn } from './columns.ts';
import type { Product, Shelf } from './matrix-data.ts';

const WAITING = <span className="ui-skeleton matrix-waiting" />;

/** The currency is shown once for the page, not in each of a thousand cells. */
const amount = (value: number) => value.toFixed(2);

/**
 * A function, not a component: hundreds are rendered per frame during scrolling, and reading words and formats from context in
 * each took longer than rendering.
 */
export function cellValue(
  column: MatrixColumn,
  {
    product,
    shelf,
    show,
    off,
  }: { product: Product | undefined; shelf: Shelf | undefined; show: MatrixShow; off: string },
): ReactNode {
  if (product === undefined) return WAITING;
  if (column.kind === 'barcode') return <span className="ltr clip">{product.barcode || '—'}</span>;
  if (column.kind === 'base') return amount(product.average_price);
  if (shelf === undefined) return WAITING;
  const sku = shelf.get(column.branch.iv_id);
  if (sku === undefined) return '—';
  const price = (
    <span className={sku.price === null ? 'soft' : undefined}>{amount(sku.price ?? product.average_price)}</span>
  );
  const state = sku.current_qty <= 0 ? 'out' : sku.current_qty <= sku.reorder_threshold ? 'low' : undefined;
  const stock = (
    <span className="matrix-stock" data-state={state}>
      {sku.current_qty}
    </span>
  );
  const other = sku.is_enabled ? show === 'stock' ? price : stock : <span className="matrix-off">{off}</span>;
  return (
    <>
      {show === 'stock' ? stock : price}
      <span className="matrix-other">{other}</span>
    </>
  );
}
