import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import type { Column } from './column.ts';
import { minPx, useFittingColumns, widenForTexts, widthOf } from './fit-columns.ts';
import { Icon } from './icon.tsx';

// Roles instead of table elements, which cannot be laid out as a grid or positioned by the virtualizer.

export type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Enter, Space or a click. */
  onOpen?: (row: Row) => void;
  isSelected?: (row: Row) => boolean;
  /** X. */
  onSelect?: (row: Row) => void;
  /** New and changed rows are marked at their start. */
  isFresh?: (row: Row) => boolean;
};

/** Renders every row: for up to some hundred. For more use `VirtualTable`. */
export function DataTable<Row>(props: TableProps<Row>): ReactNode {
  const holder = useRef<HTMLDivElement>(null);
  const keys = useRowKeys(props, holder);
  const { columns, isCards, isMeasured } = useFittingColumns(widenForTexts(props.columns, props.rows), holder);
  const rows = props.rows.slice(0, useRowsInSteps(isMeasured));
  // Space for rows that are still to come: the pager below them would move with each step.
  const isWhole = rows.length === props.rows.length;
  const space = isWhole ? undefined : { minBlockSize: `calc(${props.rows.length} * var(--row))` };
  return (
    <TableFrame {...props} columns={columns} isCards={isCards} holder={holder}>
      <div role="rowgroup" style={space}>
        {rows.map((row, index) => (
          <TableRow key={props.keyOf(row)} {...props} columns={columns} row={row} index={index} keys={keys} />
        ))}
      </div>
    </TableFrame>
  );
}

/**
 * Rows of the first table after a load, step by step. The rows of a step are rendered in slices, but their layout is one task: 50 orders at once
 * blocked input for 190 ms.
 */
const STEPS = [8, 20, 34, Number.POSITIVE_INFINITY];
/** Later tables are rendered whole: a page that is returned to has its scroll position at once. */
let isFirstTable = true;

function useRowsInSteps(isMeasured: boolean): number {
  const [step, setStep] = useState(isFirstTable ? 0 : STEPS.length - 1);
  useEffect(() => {
    isFirstTable = false;
    if (step < STEPS.length - 1) startTransition(() => setStep(step + 1));
  }, [step]);
  return isMeasured ? (STEPS[step] ?? 0) : 0;
}

type RowKeys = {
  focused: number;
  enter(index: number, event: FocusEvent<HTMLDivElement>): void;
  leave(): void;
  press(event: KeyboardEvent<HTMLDivElement>): void;
};

/** Arrow keys, J and K, Home and End move between rows; one row is in the tab order. */
export function useRowKeys<Row>(
  { rows, onOpen, onSelect }: TableProps<Row>,
  holder: RefObject<HTMLDivElement | null>,
  show?: (index: number) => void,
): RowKeys {
  const [current, setCurrent] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
  const entered = useRef<HTMLDivElement>(undefined);
  const last = rows.length - 1;
  const focused = Math.max(0, Math.min(current, last));
  // After every render: a row that was not rendered before may exist only now.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = holder.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row == null) return;
    wanted.current = undefined;
    row.focus();
  });
  // The focused row was removed: focus moves to the row at its position instead of being lost.
  useLayoutEffect(() => {
    if (entered.current === undefined || entered.current.isConnected) return;
    entered.current = undefined;
    if (document.activeElement !== document.body) return;
    holder.current?.querySelector<HTMLElement>(`[data-index="${focused}"]`)?.focus();
  });
  function move(to: number): void {
    const index = Math.max(0, Math.min(last, to));
    wanted.current = index;
    show?.(index);
    setCurrent(index);
    holder.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }
  function press(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = {
      ArrowDown: focused + 1,
      j: focused + 1,
      ArrowUp: focused - 1,
      k: focused - 1,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    const row = rows[focused];
    if (to !== undefined) move(to);
    else if ((event.key === 'Enter' || event.key === ' ') && row !== undefined) onOpen?.(row);
    else if (event.key === 'x' && row !== undefined && onSelect !== undefined) onSelect(row);
    else return;
    event.preventDefault();
  }
  function enter(index: number, event: FocusEvent<HTMLDivElement>): void {
    setCurrent(index);
    if (event.target === event.currentTarget) entered.current = event.currentTarget;
  }
  function leave(): void {
    entered.current = undefined;
  }
  return { focused, enter, leave, press };
}

export function TableRow<Row>(
  props: TableProps<Row> & { row: Row; index: number; keys: RowKeys; style?: CSSProperties },
): ReactNode {
  const { row, index, keys, columns, onOpen, style } = props;
  const opens =
    onOpen === undefined
      ? {}
      : {
          tabIndex: index === keys.focused ? 0 : -1,
          onFocus: (event: FocusEvent<HTMLDivElement>) => keys.enter(index, event),
          onBlur: keys.leave,
          onKeyDown: keys.press,
          // A control inside the row, such as a checkbox, does not open it.
          onClick: (event: MouseEvent<HTMLDivElement>) => {
            if ((event.target as Element).closest('label, button, a, input') === null) onOpen(row);
          },
        };
  return (
    <div
      role="row"
      className="ui-row"
      style={style}
      aria-rowindex={index + 2}
      aria-selected={props.isSelected?.(row)}
      data-fresh={props.isFresh?.(row) || undefined}
      data-index={index}
      {...opens}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role={onOpen === undefined ? 'cell' : 'gridcell'}
          className="ui-cell"
          // The title in a card.
          data-title={column.hideTitle === true ? undefined : column.title}
          {...alignmentOf(column)}
        >
          {column.render(row)}
        </div>
      ))}
    </div>
  );
}

export function TableFrame<Row>(
  props: TableProps<Row> & {
    holder: RefObject<HTMLDivElement | null>;
    isCards?: boolean;
    height?: string;
    children: ReactNode;
  },
): ReactNode {
  const { label, columns, rows, onOpen, holder, isCards, height, children } = props;
  const tracks = { '--columns': columns.map(({ width }) => width).join(' ') };
  // Rows of equal height cannot become cards: a table that scrolls does so in both directions.
  const scrolls = height === undefined ? {} : { '--table-height': height, '--table-width': `${widthOf(columns)}px` };
  return (
    <div className="ui-table-holder">
      <div
        ref={holder}
        role={onOpen === undefined ? 'table' : 'grid'}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="ui-table"
        data-scrolls={height !== undefined || undefined}
        data-cards={isCards || undefined}
        style={{ ...tracks, ...scrolls } as CSSProperties}
      >
        <div role="rowgroup" className="ui-table-head">
          <div role="row" className="ui-row" data-header aria-rowindex={1}>
            {columns.map((column) => (
              <ColumnTitle key={column.id} column={column} />
            ))}
          </div>
        </div>
        {children}
      </div>
    </div>
  );
}

function ColumnTitle<Row>({ column }: { column: Column<Row> }): ReactNode {
  const t = useWords(commonWords);
  const { sort, title, hideTitle } = column;
  return (
    <div
      role="columnheader"
      className="ui-cell"
      data-title-only={(column.head === undefined && sort === undefined) || undefined}
      {...alignmentOf(column)}
      aria-sort={sort?.direction}
    >
      {column.head !== undefined ? (
        column.head
      ) : hideTitle === true ? (
        <span className="visually-hidden">{title}</span>
      ) : sort === undefined ? (
        title
      ) : (
        <button type="button" className="ui-sort" onClick={sort.onSort}>
          {title}
          {sort.direction !== undefined && <Icon name={sort.direction === 'ascending' ? 'up' : 'down'} />}
          {sort.direction !== undefined && (
            <span className="visually-hidden">
              {t(sort.direction === 'ascending' ? 'sortAscending' : 'sortDescending')}
            </span>
          )}
        </button>
      )}
    </div>
  );
}

/** The column of a checkbox or an icon stands in a corner of a card. */
const ICON_PX = 56;

function alignmentOf<Row>(column: Column<Row>) {
  return { 'data-end': column.end || undefined, 'data-icon': minPx(column) < ICON_PX || undefined };
}
