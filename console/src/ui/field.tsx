import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField, type TextFieldProps } from 'react-aria-components/TextField';
import { Icon } from './icon.tsx';

type FieldProps = Omit<TextFieldProps, 'className' | 'style' | 'children'> & {
  label: string;
  hint?: string;
  /** What is wrong with it, from the form or from the service. */
  error?: string | undefined;
  placeholder?: string;
  lines?: number;
  /** Codes, addresses and numbers are written left to right in both languages. */
  ltr?: boolean;
};

export function Field({ label, hint, error, placeholder, lines, ltr, ...props }: FieldProps): ReactNode {
  const input = { className: ltr === true ? 'ui-input ltr' : 'ui-input', ...(placeholder && { placeholder }) };
  return (
    // Errors are shown, not enforced: the browser's own validation would block the next submit after one error.
    <TextField
      validationBehavior="aria"
      {...props}
      className="ui-field"
      isInvalid={error !== undefined || props.isInvalid === true}
    >
      <Label className="ui-label">{label}</Label>
      {lines === undefined ? <Input {...input} /> : <TextArea {...input} rows={lines} />}
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="ui-hint">
          {hint}
        </Text>
      )}
      <FieldError className="ui-error-text">{error}</FieldError>
    </TextField>
  );
}

export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, 'className' | 'style' | 'children'> & { children?: ReactNode }): ReactNode {
  return (
    <AriaCheckbox {...props} className="ui-checkbox">
      <span className="ui-checkbox-box">
        <Icon name="check" />
      </span>
      {children}
    </AriaCheckbox>
  );
}
