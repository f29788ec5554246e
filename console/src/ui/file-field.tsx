import { type ReactNode, useId, useRef } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';
import './file-field.css';

/** A file field: a button that shows the chosen file. The input itself is visually hidden. */
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
          // Choosing the same file again also counts.
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
