import type { ClipboardEvent } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { showToast } from '../../../ui/index.ts';
import { readNumber } from '../read-number.ts';
import { editOf } from './columns.ts';
import type { GridProps } from './grid-props.ts';
import type { Edit } from './matrix-edits.ts';
import type { ActiveCell } from './use-active-cell.ts';
import { matrixWords } from './words.ts';

/** Pastes rows and columns of a spreadsheet from the active cell on, as one group of edits. */
export function usePaste(props: GridProps, { active, mayEdit, cellAt }: ActiveCell) {
  const t = useWords(matrixWords);
  return (event: ClipboardEvent) => {
    event.preventDefault();
    const lines = event.clipboardData
      .getData('text/plain')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    const group: Edit[] = [];
    for (const [down, line] of lines.entries()) {
      for (const [over, pasted] of line.split('\t').entries()) {
        const position = { row: active.row + down, column: active.column + over };
        const cell = cellAt(position);
        if (cell === undefined || !mayEdit(position.column)) continue;
        const edit = editOf(cell.column, props.show, { ...cell, text: pasted }, readNumber);
        if (typeof edit === 'string') return showToast({ tone: 'bad', text: t(edit, { text: pasted }) });
        if (edit !== undefined) group.push(edit);
      }
    }
    props.edits.make(group);
    if (group.length > 1) showToast({ tone: 'info', text: t('pasted', { count: group.length }) });
  };
}
