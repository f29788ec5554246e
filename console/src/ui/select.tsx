import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Icon } from './icon.tsx';

type Props<Value extends string> = {
  label: string;
  /** The label is read out, not shown: for filters whose value says what they are. */
  hideLabel?: boolean;
  options: readonly { value: Value; text: string }[];
  value: Value;
  onChange(value: Value): void;
  isDisabled?: boolean;
};

export function Select<Value extends string>(props: Props<Value>): ReactNode {
  const { label, hideLabel, options, value, onChange, isDisabled = false } = props;
  return (
    <AriaSelect
      className="ui-field"
      isDisabled={isDisabled}
      value={value}
      onChange={(key) => onChange(key as Value)}
      {...(hideLabel === true ? { 'aria-label': label } : {})}
    >
      {hideLabel !== true && <Label className="ui-label">{label}</Label>}
      <Button className="ui-select-button">
        <SelectValue className="clip" />
        <Icon name="down" />
      </Button>
      <Popover className="ui-popover" offset={4}>
        <ListBox className="ui-list" items={options.map(({ value: id, text }) => ({ id, text }))}>
          {({ id, text }) => (
            <ListBoxItem id={id} textValue={text} className="ui-item">
              {text}
              <span className="ui-item-check">
                <Icon name="check" />
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
