import { type RefObject, useRef, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { readNumber } from '../read-number.ts';
import type { Editing, Step } from './cell-editor.tsx';
import { editOf, saleEdit } from './columns.ts';
import type { GridProps } from './grid-props.ts';
import type { ActiveCell } from './use-active-cell.ts';
import { matrixWords } from './words.ts';

/** Editing of the active cell: opening, committing, clearing. */
export function useCellEditing(props: GridProps, cell: ActiveCell, holder: RefObject<HTMLDivElement | null>) {
  const t = useWords(matrixWords);
  const { show, edits } = props;
  const { active, mayEdit, cellAt, step } = cell;
  const [editing, setEditing] = useState<Editing>();
  // Tab moves between cells during editing, and out of the grid otherwise.
  const isEntering = useRef(false);

  function begin(begun: Editing): void {
    const here = cellAt();
    if (!mayEdit(active.column) || here === undefined) return;
    if (here.column.kind === 'branch' && here.shelf?.get(here.column.branch.iv_id) === undefined) return;
    isEntering.current = true;
    setEditing(begun);
  }
  function close(): void {
    setEditing(undefined);
    holder.current?.focus({ preventScroll: true });
  }
  function commit(typed: string, by: Step | undefined) {
    const here = cellAt();
    const edit = here === undefined ? undefined : editOf(here.column, show, { ...here, text: typed }, readNumber);
    if (typeof edit === 'string') {
      // Focus moved elsewhere: the cell keeps its value.
      if (by === undefined) return setEditing(undefined);
      return setEditing((before) => before && { ...before, wrong: t(edit, { text: typed }) });
    }
    if (edit !== undefined) edits.make([edit]);
    if (by === undefined) return setEditing(undefined);
    close();
    step(by);
  }
  function clear() {
    const here = cellAt();
    if (here === undefined || !mayEdit(active.column)) return;
    if (here.column.kind === 'base' || (here.column.kind === 'branch' && show === 'stock')) {
      return begin({ text: '', isTyped: true });
    }
    const edit = editOf(here.column, show, { ...here, text: '' }, readNumber);
    if (edit !== undefined && typeof edit !== 'string') edits.make([edit]);
  }
  function toggleSale(): void {
    const here = cellAt();
    const edit = here === undefined || !props.maySkus ? undefined : saleEdit(here.column, here.product, here.shelf);
    if (edit !== undefined) edits.make([edit]);
  }
  return { editing, isEntering, begin, close, commit, clear, toggleSale };
}
