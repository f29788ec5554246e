import type { Column } from '../column.ts';
import { Checkbox } from '../field.tsx';
import type { Selection } from './use-selection.ts';

/** A column of checkboxes, with one in its head for the whole page. X selects the focused row. */
export function selectColumn<Row>(
  selection: Selection<Row>,
  rows: readonly Row[],
  label: { all: string; of(row: Row): string },
): Column<Row> {
  const isAll = rows.every(selection.has);
  return {
    id: 'select',
    title: label.all,
    width: '24px',
    head: (
      <Checkbox
        aria-label={label.all}
        isSelected={isAll}
        isIndeterminate={!isAll && rows.some(selection.has)}
        onChange={(isOn) => selection.setAll(rows, isOn)}
      />
    ),
    render: (row) => (
      <Checkbox
        aria-label={label.of(row)}
        excludeFromTabOrder
        isSelected={selection.has(row)}
        onChange={() => selection.toggle(row)}
      />
    ),
  };
}
