import { memo, type ReactNode } from 'react';
import type { Translate, useName } from '../../../i18n/index.ts';
import { ProductPicture } from '../../../ui/product-picture.tsx';
import type { MatrixShow } from '../searches.ts';
import { CellEditor, type Editing, type Step } from './cell-editor.tsx';
import { cellValue } from './cell-value.tsx';
import type { MatrixColumn } from './columns.ts';
import type { Product, Shelf } from './matrix-data.ts';
import type { matrixWords } from './words.ts';

/** More columns than any screen shows. */
const COLUMNS_KEPT = 64;

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
  t: Translate<(typeof matrixWords)['en']>;
  name: ReturnType<typeof useName>;
  onCommit(text: string, step: Step | undefined): void;
  onCancel(): void;
};

/** Memoized: most rows do not change during scrolling. */
export const MatrixRow = memo(function MatrixRow(props: Props): ReactNode {
  const { t, name, show } = props;
  const off = t('off');
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
          <span className="ui-skeleton matrix-waiting" />
        ) : (
          <>
            <ProductPicture images={product.images} name={name(product) || product.iv_id} size="small" />
            <span className="ui-cell-two">
              <a href={addressOf(product.iv_id)} tabIndex={-1} className="clip matrix-name">
                {name(product) || product.iv_id}
              </a>
              <span className="soft small clip ltr">{product.iv_id}</span>
            </span>
          </>
        )}
      </div>
      {columns.slice(from, to + 1).map((column, offset) => {
        const at = from + offset;
        const isActive = at === activeColumn;
        const isEditing = isActive && editing !== undefined && product !== undefined;
        return (
          <div
            // Keyed by position, not by branch: scrolling sideways changes the text of the same cells.
            key={at % COLUMNS_KEPT}
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
              cellValue(column, { product, shelf, show, off })
            )}
          </div>
        );
      })}
    </div>
  );
});

export function addressOf(ivId: string): string {
  return `/products/${encodeURIComponent(ivId)}`;
}
