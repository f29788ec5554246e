import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { commonWords, useWords } from '../i18n/index.ts';
import { Icon } from './icon.tsx';
import './picker.css';

export type PickerOption = { id: string; text: string; note?: string };

type Props = {
  label: string;
  /** The label is read out, not shown. */
  hideLabel?: boolean;
  placeholder?: string;
  chosen: PickerOption | undefined;
  /** The options that match the typed text. */
  options: readonly PickerOption[];
  onText(text: string): void;
  onChoose(option: PickerOption | undefined): void;
  /** Shown when nothing matches. */
  empty: string;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** One of many, searched as the user types: a brand, a branch. For a short known list use `Select`. */
export function Picker(props: Props): ReactNode {
  const t = useWords(commonWords);
  const { chosen, options, onText, onChoose } = props;
  const [text, setText] = useState(chosen?.text ?? '');
  const shown = chosen?.text ?? '';
  useEffect(() => setText(shown), [shown]);
  // The library looks up the chosen one's text among the options when the field is left.
  const items = chosen === undefined || options.some(({ id }) => id === chosen.id) ? options : [chosen, ...options];
  const type = (next: string) => {
    setText(next);
    onText(next === shown ? '' : next);
  };
  return (
    <ComboBox
      className="ui-field"
      items={items}
      inputValue={text}
      onInputChange={type}
      value={chosen?.id ?? null}
      onChange={(key) => {
        const option = items.find(({ id }) => id === key);
        if (option === undefined) return;
        // Together with the choice: a text that changes after the list has closed opens it again.
        setText(option.text);
        onChoose(option);
      }}
      defaultFilter={() => true}
      allowsEmptyCollection
      menuTrigger="focus"
      validationBehavior="aria"
      isInvalid={props.error !== undefined}
      isDisabled={props.isDisabled === true}
      {...(props.hideLabel === true ? { 'aria-label': props.label } : {})}
    >
      {props.hideLabel !== true && <Label className="ui-label">{props.label}</Label>}
      <span className="ui-picker">
        <Input className="ui-input" placeholder={props.placeholder ?? ''} />
        {chosen === undefined ? (
          <AriaButton className="ui-button" data-look="quiet" data-size="small" data-icon-only>
            <Icon name="down" />
          </AriaButton>
        ) : (
          // Without `slot={null}` the field would use this button to open the list.
          <AriaButton
            slot={null}
            className="ui-button"
            data-look="quiet"
            data-size="small"
            data-icon-only
            aria-label={`${t('clear')}: ${props.label}`}
            onPress={() => {
              setText('');
              onText('');
              onChoose(undefined);
            }}
          >
            <Icon name="close" />
          </AriaButton>
        )}
      </span>
      <FieldError className="ui-error-text">{props.error}</FieldError>
      <Popover className="ui-popover" offset={4}>
        <ListBox<PickerOption>
          className="ui-list"
          renderEmptyState={() => <div className="ui-picker-empty">{props.empty}</div>}
        >
          {({ id, text: name, note }) => (
            <ListBoxItem id={id} textValue={name} className="ui-item">
              <span className="clip">{name}</span>
              {note !== undefined && <span className="ui-picker-note">{note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
