import type { ReactNode } from 'react';
import type { Column } from '../column.ts';
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
      <RowCheckbox
        label={label.all}
        isSelected={isAll}
        isIndeterminate={!isAll && rows.some(selection.has)}
        isInTabOrder
        onToggle={() => selection.setAll(rows, !isAll)}
      />
    ),
    render: (row) => (
      <RowCheckbox label={label.of(row)} isSelected={selection.has(row)} onToggle={() => selection.toggle(row)} />
    ),
  };
}

/** The browser's own checkbox, in rows outside the tab order: fifty of the component library were half of what the rows of a list take to render. */
function RowCheckbox(props: {
  label: string;
  isSelected: boolean;
  isIndeterminate?: boolean;
  isInTabOrder?: boolean;
  onToggle(): void;
}): ReactNode {
  const { isIndeterminate = false } = props;
  return (
    <label
      className="ui-checkbox"
      data-selected={props.isSelected || undefined}
      data-indeterminate={isIndeterminate || undefined}
    >
      <input
        type="checkbox"
        className="visually-hidden"
        aria-label={props.label}
        tabIndex={props.isInTabOrder === true ? 0 : -1}
        ref={(input) => {
          if (input !== null) input.indeterminate = isIndeterminate;
        }}
        checked={props.isSelected}
        onChange={props.onToggle}
      />
      <span className="ui-checkbox-box">
        <Icon name="check" />
      </span>
    </label>
  );
}
