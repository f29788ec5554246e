import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';

/** A filter that is on or off. The browser's own checkbox: the one of forms takes 30 kB of react-aria along. */
export function FilterCheckbox(props: {
  isSelected: boolean;
  onChange(isSelected: boolean): void;
  children: ReactNode;
}): ReactNode {
  return (
    <label className="ui-checkbox" data-selected={props.isSelected || undefined}>
      <input
        type="checkbox"
        className="visually-hidden"
        checked={props.isSelected}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
      />
      <span className="ui-checkbox-box">
        <Icon name="check" />
      </span>
      {props.children}
    </label>
  );
}
