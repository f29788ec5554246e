import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { Skeleton } from '../../../ui/index.ts';
import type { MatrixShow } from '../searches.ts';
import { CellEditor, type Editing, type Step } from './cell-editor.tsx';
import type { MatrixColumn } from './columns.ts';
import type { Product, Shelf } from './matrix-data.ts';
import { matrixWords } from './words.ts';

type Props = {
  index: number;
  start: number;
  product: Product | undefined;
  shelf: Shelf | undefined;
  columns: readonly MatrixColumn[];
  starts: readonly number[];
  from: number;
  to: number;
  show: MatrixShow;
  /** -1 where the active cell is in another row. */
  activeColumn: number;
  editing: Editing | undefined;
  onCommit(text: string, step: Step | undefined): void;
  onCancel(): void;
};

/** Drawn again only when something of its own has changed: most rows stand still while one scrolls. */
export const MatrixRow = memo(function MatrixRow(props: Props): ReactNode {
  const t = useWords(matrixWords);
  const name = useName();
  const { index, product, shelf, columns, starts, from, to, activeColumn, editing } = props;
  return (
    <div
      role="row"
      className="matrix-row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${props.start}px)` }}
      data-off={product?.is_enabled === false || undefined}
    >
      <div role="rowheader" className="matrix-product" aria-colindex={1}>
        {product === undefined ? (
          <Skeleton width="70%" />
        ) : (
          <>
            <Link to="/products/$ivId" params={{ ivId: product.iv_id }} tabIndex={-1} className="clip matrix-name">
              {name(product) || product.iv_id}
            </Link>
            <span className="soft small clip ltr">{product.iv_id}</span>
          </>
        )}
      </div>
      {columns.slice(from, to + 1).map((column, offset) => {
        const at = from + offset;
        const isActive = at === activeColumn;
        const isEditing = isActive && editing !== undefined && product !== undefined;
        return (
          <div
            key={column.id}
            id={`cell-${index}-${at}`}
            role="gridcell"
            className="matrix-cell"
            aria-colindex={at + 2}
            aria-selected={isActive}
            data-cell
            data-row={index}
            data-column={at}
            data-kind={column.kind}
            style={{ insetInlineStart: starts[at], inlineSize: column.width }}
          >
            {isEditing ? (
              <CellEditor
                editing={editing}
                isNumber={column.kind !== 'barcode'}
                label={t('edit', {
                  product: name(product) || product.iv_id,
                  column: column.kind === 'branch' ? name(column.branch) : t(column.kind),
                })}
                onCommit={props.onCommit}
                onCancel={props.onCancel}
              />
            ) : (
              <CellValue column={column} product={product} shelf={shelf} show={props.show} />
            )}
          </div>
        );
      })}
    </div>
  );
});

function CellValue(props: {
  column: MatrixColumn;
  product: Product | undefined;
  shelf: Shelf | undefined;
  show: MatrixShow;
}): ReactNode {
  const t = useWords(matrixWords);
  const { number, amount } = useFigures();
  const { column, product, shelf, show } = props;
  if (product === undefined) return <Skeleton width="48px" />;
  if (column.kind === 'barcode') return <span className="ltr clip">{product.barcode || '—'}</span>;
  if (column.kind === 'base') return amount(product.average_price);
  if (shelf === undefined) return <Skeleton width="40px" />;
  const sku = shelf.get(column.branch.iv_id);
  if (sku === undefined) return <span className="soft">—</span>;
  const price = (
    <span className={sku.price === null ? 'soft' : undefined}>{amount(sku.price ?? product.average_price)}</span>
  );
  const state = sku.current_qty <= 0 ? 'out' : sku.current_qty <= sku.reorder_threshold ? 'low' : undefined;
  const stock = (
    <span className="matrix-stock" data-state={state}>
      {number(sku.current_qty)}
    </span>
  );
  const other = sku.is_enabled ? show === 'stock' ? price : stock : <span className="matrix-off">{t('off')}</span>;
  return (
    <>
      <span className="matrix-main">{show === 'stock' ? stock : price}</span>
      <span className="matrix-other">{other}</span>
    </>
  );
}

/** The currency stands for the whole page and not in each of a thousand cells. */
function useFigures() {
  const { number } = useFormat();
  return { number, amount: (value: number) => value.toFixed(2) };
}
