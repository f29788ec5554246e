import type { ReactNode } from 'react';
import type { Column } from '../column.ts';
import { Checkbox } from '../field.tsx';
import { Icon } from '../icon.tsx';
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
      <RowCheckbox label={label.of(row)} isSelected={selection.has(row)} onToggle={() => selection.toggle(row)} />
    ),
  };
}

/** The browser's own checkbox, outside the tab order: fifty of the component library were half of what the rows of a list take to render. */
function RowCheckbox(props: { label: string; isSelected: boolean; onToggle(): void }): ReactNode {
  return (
    <label className="ui-checkbox" data-selected={props.isSelected || undefined}>
      <input
        type="checkbox"
        className="visually-hidden"
        aria-label={props.label}
        tabIndex={-1}
        checked={props.isSelected}
        onChange={props.onToggle}
      />
      <span className="ui-checkbox-box">
        <Icon name="check" />
      </span>
    </label>
  );
}
