import { isValidElement, type ReactNode, type RefObject, useLayoutEffect, useReducer, useRef } from 'react';
import type { Column } from './column.ts';

/** In a window narrower than this, rows whose columns do not all fit become cards. */
const CARDS_BELOW_PX = 720;
/** A card of this width shows `wide` columns too. */
const WIDE_CARD_PX = 480;
/** As in table.css: the gap between two cells, and the padding of a row with its border. */
const GAP_PX = 12;
const EDGES_PX = 32;
const FLEXIBLE_MIN_PX = 96;

export type Fit<Row> = { columns: readonly Column<Row>[]; isCards: boolean };
/** Until the width is measured, rows would be rendered for columns that may not fit. */
export type MeasuredFit<Row> = Fit<Row> & { isMeasured: boolean };

/** The columns that fit without squeezing a cell below its minimum: `wide` columns go first, then `medium` ones, from the end. */
export function fitColumns<Row>(columns: readonly Column<Row>[], tablePx: number, windowPx: number): Fit<Row> {
  const kept = [...columns];
  for (const from of ['wide', 'medium']) {
    for (let at = kept.length - 1; at >= 0 && widthOf(kept) > tablePx; at--) {
      if (kept[at]?.from === from) kept.splice(at, 1);
    }
  }
  const isMissing = (column: Column<Row>) => column.from !== 'wide' && !kept.includes(column);
  if (widthOf(kept) <= tablePx && (windowPx >= CARDS_BELOW_PX || !columns.some(isMissing))) {
    return { columns: kept, isCards: false };
  }
  return { columns: columns.filter(({ from }) => tablePx >= WIDE_CARD_PX || from !== 'wide'), isCards: true };
}

/**
 * Columns of numbers as wide as their longest text: `SAR 999,999,999,999.00` does not fit into the 120 px that are enough for most orders.
 * By the width of characters instead of a measurement in the document, which would force a layout before the first one.
 */
export function widenForTexts<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Column<Row>[] {
  return columns.map((column) => {
    if (column.end !== true) return column;
    const textPx = rows.reduce((longest, row) => Math.max(longest, textWidthPx(textIn(column.render(row)))), 0);
    return textPx > minPx(column) ? { ...column, width: widthOfAtLeast(column.width, textPx) } : column;
  });
}

type Shows = { shown?: string; children?: ReactNode };

/** The amount is the first text of a cell, where a note may stand below it, or what a field shows while it is not edited. */
function textIn(content: ReactNode): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return textIn(content[0]);
  return isValidElement<Shows>(content) ? textIn(content.props.shown ?? content.props.children) : '';
}

/** `minmax(90px, 1fr)` keeps its share of the free space. */
function widthOfAtLeast(width: string, px: number): string {
  return /\d+px/.test(width) ? width.replace(/\d+px/, `${px}px`) : `minmax(${px}px, ${width})`;
}

/** At most, of the body font at 14 px. */
const DIGIT_PX = 8.5;
const LETTER_PX = 10;
const SIGN_PX = 4.5;

function textWidthPx(text: string): number {
  let px = 0;
  for (const character of text) px += /\d/.test(character) ? DIGIT_PX : /\p{L}/u.test(character) ? LETTER_PX : SIGN_PX;
  return Math.ceil(px);
}

/** The width that the columns need. */
export function widthOf<Row>(columns: readonly Column<Row>[]): number {
  return columns.reduce((sum, column) => sum + minPx(column) + GAP_PX, EDGES_PX - GAP_PX);
}

export function minPx<Row>({ width }: Column<Row>): number {
  return Number(/(\d+)px/.exec(width)?.[1] ?? FLEXIBLE_MIN_PX);
}

/** Measured before the first paint, and whenever the width of the table's parent changes. Rows render again only when other columns fit. */
export function useFittingColumns<Row>(
  columns: readonly Column<Row>[],
  table: RefObject<HTMLDivElement | null>,
): MeasuredFit<Row> {
  const [, renderAgain] = useReducer((renders: number) => renders + 1, 0);
  const tablePx = useRef<number>(undefined);
  const isMeasured = tablePx.current !== undefined;
  const shown = fitColumns(columns, tablePx.current ?? Number.POSITIVE_INFINITY, window.innerWidth);
  const latest = useRef({ columns, shown });
  latest.current = { columns, shown };
  useLayoutEffect(() => {
    const parent = table.current?.parentElement;
    if (parent == null) return;
    const measure = () => {
      const isFirst = tablePx.current === undefined;
      tablePx.current = parent.clientWidth;
      const fit = fitColumns(latest.current.columns, tablePx.current, window.innerWidth);
      if (isFirst || !isSame(fit, latest.current.shown)) renderAgain();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(parent);
    return () => observer.disconnect();
  }, [table]);
  return { ...shown, isMeasured };
}

function isSame<Row>(one: Fit<Row>, other: Fit<Row>): boolean {
  return one.isCards === other.isCards && one.columns.length === other.columns.length;
}
