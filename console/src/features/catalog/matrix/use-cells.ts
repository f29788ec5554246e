import { type ClipboardEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Step } from './cell-editor.tsx';
import type { GridProps } from './grid-props.ts';
import { useActiveCell } from './use-active-cell.ts';
import { useCellEditing } from './use-cell-editing.ts';
import { usePaste } from './use-paste.ts';

const PAGE_ROWS = 12;
/** Keys that begin editing a number; other letters stay shortcuts of the page. */
const FIGURE = /^[-0-9.٠-٩۰-۹٫−]$/;

/** Keyboard, clipboard and pointer of the grid, as in a spreadsheet. */
export function useCells(
  props: GridProps,
  holder: RefObject<HTMLDivElement | null>,
  isRtl: boolean,
  reveal: (row: number, column: number) => void,
) {
  const { total, columns, edits } = props;
  const cell = useActiveCell(props, reveal);
  const { active, setActive, mayEdit, text, go, step } = cell;
  const { editing, isEntering, begin, close, commit, clear, toggleSale } = useCellEditing(props, cell, holder);
  const paste = usePaste(props, cell);

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
  function press(row: number, column: number, isAgain: boolean) {
    const isHere = active.row === row && active.column === column;
    isEntering.current = false;
    if (isHere && isAgain) return begin({ text: text(), isTyped: false });
    setActive({ row, column });
  }

  // Rows render again only for changes of their own, so the functions they call keep their identity.
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
