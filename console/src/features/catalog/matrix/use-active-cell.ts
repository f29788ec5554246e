import { useState } from 'react';
import type { Step } from './cell-editor.tsx';
import { textIn } from './columns.ts';
import type { GridProps } from './grid-props.ts';

export type CellPosition = { row: number; column: number };
export type ActiveCell = ReturnType<typeof useActiveCell>;

/** The active cell of the grid: its position, its content, and moving to another one. */
export function useActiveCell(props: GridProps, reveal: (row: number, column: number) => void) {
  const { data, total, columns, show } = props;
  const [active, setActive] = useState<CellPosition>({
    row: 0,
    column: Math.max(
      0,
      columns.findIndex(({ kind }) => kind === 'branch'),
    ),
  });
  const mayEdit = (column: number) => (columns[column]?.kind === 'branch' ? props.maySkus : props.mayProducts);
  const cellAt = (position = active) => {
    const column = columns[position.column];
    const product = data.productAt(position.row);
    if (column === undefined || product === undefined) return undefined;
    return { column, product, shelf: data.shelfOf(product.iv_id) };
  };
  const text = () => {
    const cell = cellAt();
    return cell === undefined ? '' : textIn(cell.column, show, cell.product, cell.shelf);
  };
  function go(row: number, column: number): void {
    const position = {
      row: Math.max(0, Math.min(total - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    };
    setActive(position);
    reveal(position.row, position.column);
  }
  function step(by: Step) {
    const { row, column } = active;
    if (by === 'up' || by === 'down') return go(row + (by === 'up' ? -1 : 1), column);
    const next = column + (by === 'forward' ? 1 : -1);
    if (next >= columns.length) go(row + 1, 0);
    else if (next < 0) go(row - 1, columns.length - 1);
    else go(row, next);
  }
  return { active, setActive, mayEdit, cellAt, text, go, step };
}
