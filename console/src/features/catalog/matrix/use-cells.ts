import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useWords } from '../../../i18n/index.ts';
import { showToast } from '../../../ui/index.ts';
import { readNumber } from '../read-number.ts';
import type { Editing, Step } from './cell-editor.tsx';
import { editOf, saleEdit, textIn } from './columns.ts';
import type { GridProps } from './grid-props.ts';
import type { Edit } from './matrix-edits.ts';
import { matrixWords } from './words.ts';

export type Place = { row: number; column: number };

const PAGE_ROWS = 12;
/** What begins an edit of a figure; other letters stay shortcuts of the page. */
const FIGURE = /^[-0-9.٠-٩۰-۹٫−]$/;

/** Which cell is the active one, what is typed there, and what the keys do: as in any spreadsheet. */
export function useCells(
  props: GridProps,
  holder: RefObject<HTMLDivElement | null>,
  isRtl: boolean,
  reveal: (row: number, column: number) => void,
) {
  const t = useWords(matrixWords);
  const { data, total, columns, show, edits } = props;
  const [active, setActive] = useState<Place>({
    row: 0,
    column: Math.max(
      0,
      columns.findIndex(({ kind }) => kind === 'branch'),
    ),
  });
  const [editing, setEditing] = useState<Editing>();
  // Tab moves between cells during editing, and out of the grid otherwise.
  const isEntering = useRef(false);

  const mayEdit = (column: number) => (columns[column]?.kind === 'branch' ? props.maySkus : props.mayProducts);
  const here = (place = active) => {
    const column = columns[place.column];
    const product = data.productAt(place.row);
    if (column === undefined || product === undefined) return undefined;
    return { column, product, shelf: data.shelfOf(product.iv_id) };
  };
  const text = () => {
    const cell = here();
    return cell === undefined ? '' : textIn(cell.column, show, cell.product, cell.shelf);
  };
  function go(row: number, column: number): void {
    const place = {
      row: Math.max(0, Math.min(total - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    };
    setActive(place);
    reveal(place.row, place.column);
  }
  function step(by: Step) {
    const { row, column } = active;
    if (by === 'up' || by === 'down') return go(row + (by === 'up' ? -1 : 1), column);
    const next = column + (by === 'forward' ? 1 : -1);
    if (next >= columns.length) go(row + 1, 0);
    else if (next < 0) go(row - 1, columns.length - 1);
    else go(row, next);
  }
  function begin(begun: Editing): void {
    if (!mayEdit(active.column) || here() === undefined) return;
    const cell = here();
    if (cell?.column.kind === 'branch' && cell.shelf?.get(cell.column.branch.iv_id) === undefined) return;
    isEntering.current = true;
    setEditing(begun);
  }
  function close(): void {
    setEditing(undefined);
    holder.current?.focus({ preventScroll: true });
  }
  function commit(typed: string, by: Step | undefined) {
    const cell = here();
    const edit = cell === undefined ? undefined : editOf(cell.column, show, { ...cell, text: typed }, readNumber);
    if (typeof edit === 'string') {
      // Left for something else, it is as it was.
      if (by === undefined) return setEditing(undefined);
      return setEditing((before) => before && { ...before, wrong: t(edit, { text: typed }) });
    }
    if (edit !== undefined) edits.make([edit]);
    if (by === undefined) return setEditing(undefined);
    close();
    step(by);
  }
  function clear() {
    const cell = here();
    if (cell === undefined || !mayEdit(active.column)) return;
    if (cell.column.kind === 'base' || (cell.column.kind === 'branch' && show === 'stock')) {
      return begin({ text: '', isTyped: true });
    }
    const edit = editOf(cell.column, show, { ...cell, text: '' }, readNumber);
    if (edit !== undefined && typeof edit !== 'string') edits.make([edit]);
  }
  function toggleSale(): void {
    const cell = here();
    const edit = cell === undefined || !props.maySkus ? undefined : saleEdit(cell.column, cell.product, cell.shelf);
    if (edit !== undefined) edits.make([edit]);
  }
  function keyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.altKey) return;
    const { key } = event;
    const mod = event.ctrlKey || event.metaKey;
    const { row, column } = active;
    const onwards = isRtl ? -1 : 1;
    const moves: Record<string, () => void> = {
      ArrowUp: () => go(mod ? 0 : row - 1, column),
      ArrowDown: () => go(mod ? total - 1 : row + 1, column),
      ArrowRight: () => go(row, mod ? (isRtl ? 0 : columns.length - 1) : column + onwards),
      ArrowLeft: () => go(row, mod ? (isRtl ? columns.length - 1 : 0) : column - onwards),
      Home: () => go(mod ? 0 : row, 0),
      End: () => go(mod ? total - 1 : row, columns.length - 1),
      PageUp: () => go(row - PAGE_ROWS, column),
      PageDown: () => go(row + PAGE_ROWS, column),
    };
    const move = moves[key];
    if (move !== undefined) {
      isEntering.current = false;
      move();
    } else if (mod && key.toLowerCase() === 'z') edits.undo();
    else if (mod) return;
    else if (key === 'Tab' && isEntering.current) step(event.shiftKey ? 'back' : 'forward');
    else if (key === 'Escape') isEntering.current = false;
    else if (key === 'Enter' || key === 'F2') begin({ text: text(), isTyped: false });
    else if (key === 'Delete' || key === 'Backspace') clear();
    else if (key === ' ') toggleSale();
    else if (mayEdit(column) && (FIGURE.test(key) || (columns[column]?.kind === 'barcode' && /^\w$/.test(key)))) {
      begin({ text: key, isTyped: true });
    } else return;
    event.preventDefault();
  }
  function copy(event: ClipboardEvent): void {
    event.clipboardData.setData('text/plain', text());
    event.preventDefault();
  }
  function paste(event: ClipboardEvent) {
    event.preventDefault();
    const lines = event.clipboardData
      .getData('text/plain')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    const group: Edit[] = [];
    for (const [down, line] of lines.entries()) {
      for (const [over, pasted] of line.split('\t').entries()) {
        const place = { row: active.row + down, column: active.column + over };
        const cell = here(place);
        if (cell === undefined || !mayEdit(place.column)) continue;
        const edit = editOf(cell.column, show, { ...cell, text: pasted }, readNumber);
        if (typeof edit === 'string') return showToast({ tone: 'bad', text: t(edit, { text: pasted }) });
        if (edit !== undefined) group.push(edit);
      }
    }
    edits.make(group);
    if (group.length > 1) showToast({ tone: 'info', text: t('pasted', { count: group.length }) });
  }
  function press(row: number, column: number, isAgain: boolean) {
    const isHere = active.row === row && active.column === column;
    isEntering.current = false;
    if (isHere && isAgain) return begin({ text: text(), isTyped: false });
    setActive({ row, column });
  }

  // Rows are drawn again only for what is theirs, so what they call has to stay the same function.
  const latest = useRef({ commit, close });
  useEffect(() => {
    latest.current = { commit, close };
  });
  return {
    active,
    editing,
    keyDown,
    copy,
    paste,
    press,
    commit: useCallback((typed: string, by: Step | undefined) => latest.current.commit(typed, by), []),
    cancel: useCallback(() => latest.current.close(), []),
  };
}
