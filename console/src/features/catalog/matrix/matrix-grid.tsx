import { useElementScrollRestoration, useRouter } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useLanguage, useName, useWords } from '../../../i18n/index.ts';
import type { MatrixColumn } from './columns.ts';
import type { GridProps } from './grid-props.ts';
import { MatrixHead } from './matrix-head.tsx';
import { MatrixRow } from './matrix-row.tsx';
import { useCells } from './use-cells.ts';
import { useNarrow } from './use-narrow.ts';
import { matrixWords } from './words.ts';

const ROW = 44;
const HEAD = 44;
/** More rows than any screen shows. */
const ROWS_KEPT = 128;
const PRODUCT_WIDTH = 262;
const PRODUCT_WIDTH_NARROW = 150;
const SCROLL_ID = 'matrix';

/** Virtualized in both directions: only visible cells are in the document. */
export function MatrixGrid(props: GridProps): ReactNode {
  const t = useWords(matrixWords);
  const name = useNameOnce();
  const { navigate } = useRouter();
  const { data, total, columns, show } = props;
  const isRtl = useLanguage() === 'ar';
  const fixed = useNarrow() ? PRODUCT_WIDTH_NARROW : PRODUCT_WIDTH;
  const holder = useRef<HTMLDivElement>(null);
  const getScrollElement = () => holder.current;
  const left = useElementScrollRestoration({ id: SCROLL_ID });
  const rows = useVirtualizer({
    count: total,
    getScrollElement,
    estimateSize: () => ROW,
    initialOffset: left?.scrollY ?? 0,
    overscan: 4,
    // Both virtualizers listen to the same scroll: rendering synchronously, each would render everything.
    useFlushSync: false,
    paddingStart: HEAD,
    scrollPaddingStart: HEAD,
  });
  const across = useVirtualizer({
    horizontal: true,
    isRtl,
    count: columns.length,
    getScrollElement,
    estimateSize: (index) => columns[index]?.width ?? 0,
    // From the right in Arabic, where the browser counts down from 0.
    initialOffset: Math.abs(left?.scrollX ?? 0),
    overscan: 1,
    useFlushSync: false,
    paddingStart: fixed,
    scrollPaddingStart: fixed,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns or another width of the first one are other places
  useEffect(() => across.measure(), [fixed, columns]);
  const starts = useMemo(() => startsOf(columns, fixed), [columns, fixed]);

  const seenRows = rows.getVirtualItems();
  const seenColumns = across.getVirtualItems();
  const first = seenRows[0]?.index ?? 0;
  const last = seenRows.at(-1)?.index ?? 0;
  const from = seenColumns[0]?.index ?? 0;
  const to = seenColumns.at(-1)?.index ?? -1;
  useEffect(() => data.see(first, last), [data, first, last]);

  const cells = useCells(props, holder, isRtl, (row, column) => {
    rows.scrollToIndex(row);
    across.scrollToIndex(column);
  });
  const { active, editing } = cells;
  const isActiveSeen = active.row >= first && active.row <= last && active.column >= from && active.column <= to;
  const click = (event: MouseEvent) => {
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>('a.matrix-name');
    if (link !== null) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void navigate({ to: link.pathname });
      return;
    }
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset;
    if (cell?.row === undefined || cell.column === undefined) return;
    cells.press(Number(cell.row), Number(cell.column), event.detail > 1);
  };
  return (
    <div
      ref={holder}
      role="grid"
      tabIndex={0}
      className="matrix"
      data-scroll-restoration-id={SCROLL_ID}
      aria-label={t('title')}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={isActiveSeen ? `cell-${active.row}-${active.column}` : undefined}
      onKeyDown={cells.keyDown}
      onCopy={cells.copy}
      onPaste={cells.paste}
      onClick={click}
    >
      <div
        className="matrix-space"
        style={
          {
            blockSize: rows.getTotalSize(),
            inlineSize: across.getTotalSize(),
            '--product-width': `${fixed}px`,
          } as CSSProperties
        }
      >
        <MatrixHead columns={columns} starts={starts} from={from} to={to} />
        <div role="rowgroup">
          {seenRows.map(({ index, start }) => {
            const product = data.productAt(index);
            const isActive = index === active.row;
            return (
              <MatrixRow
                // Rows are recycled: another product changes their text, not a hundred elements.
                key={index % ROWS_KEPT}
                index={index}
                start={start}
                product={product}
                shelf={product === undefined ? undefined : data.shelfOf(product.iv_id)}
                columns={columns}
                starts={starts}
                from={from}
                to={to}
                show={show}
                activeColumn={isActive ? active.column : -1}
                editing={isActive ? editing : undefined}
                t={t}
                name={name}
                onCommit={cells.commit}
                onCancel={cells.cancel}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Stable until the language changes: rows re-render when one of their props changes. */
function useNameOnce(): ReturnType<typeof useName> {
  const language = useLanguage();
  const name = useName();
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that it depends on is the language
  return useMemo(() => name, [language]);
}

function startsOf(columns: readonly MatrixColumn[], fixed: number): number[] {
  let next = fixed;
  return columns.map(({ width }) => {
    const start = next;
    next += width;
    return start;
  });
}
