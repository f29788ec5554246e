import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';

/** One of a few options, all visible: a range, a status. */
export function Segments<Value extends string>(props: {
  label: string;
  options: readonly { value: Value; text: ReactNode }[];
  value: Value;
  onChange(value: Value): void;
}): ReactNode {
  return (
    <ToggleButtonGroup
      aria-label={props.label}
      className="ui-segments"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[props.value]}
      onSelectionChange={(keys) => {
        const [first] = keys;
        if (first !== undefined) props.onChange(first as Value);
      }}
    >
      {props.options.map(({ value, text }) => (
        <ToggleButton key={value} id={value} className="ui-segment">
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
