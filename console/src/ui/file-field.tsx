import { type ReactNode, useId, useRef } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';
import './file-field.css';

/** One file, chosen by a button that says what is chosen. The input itself is out of sight; its label and button stand for it. */
export function FileField(props: {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** What may be chosen, as the input has it: `application/pdf,image/*`. */
  accept: string;
  choose: string;
  file: File | undefined;
  onChange(file: File | undefined): void;
}): ReactNode {
  const t = useWords(commonWords);
  const { label, hint, error, accept, choose, file, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const said = error ?? hint;
  return (
    <div className="ui-field">
      <label className="ui-label" htmlFor={id}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        className="visually-hidden"
        type="file"
        accept={accept}
        tabIndex={-1}
        aria-describedby={said === undefined ? undefined : `${id}-said`}
        onChange={({ target }) => {
          onChange(target.files?.[0]);
          // The same file again is a choice too.
          target.value = '';
        }}
      />
      <div className="ui-file">
        <Button onPress={() => input.current?.click()}>{choose}</Button>
        {file !== undefined && (
          <>
            <span className="clip ltr">{file.name}</span>
            <Button
              look="quiet"
              size="small"
              icon="close"
              aria-label={t('clear')}
              onPress={() => onChange(undefined)}
            />
          </>
        )}
      </div>
      {said !== undefined && (
        <span id={`${id}-said`} className={error === undefined ? 'ui-hint' : 'ui-error-text'}>
          {said}
        </span>
      )}
    </div>
  );
}
