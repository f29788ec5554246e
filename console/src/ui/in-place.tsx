import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { fieldErrors, useExplainError } from '../platform/index.ts';
import './in-place.css';

type Props = {
  /** The accessible name: on the page the name stands beside the value. */
  label: string;
  value: string;
  /** The formatted value while it is not edited, such as money. */
  shown?: string;
  /** Shown without a value. */
  empty?: string;
  /** Codes and numbers are written left to right in both languages. */
  ltr?: boolean;
  end?: boolean;
  isNumber?: boolean;
  isReadOnly?: boolean;
  /** Validates before sending. */
  check?: (text: string) => string | undefined;
  /** A rejection keeps the field open and shows the reason. */
  onSave(text: string): Promise<unknown>;
};

/** A value that is edited in place. Enter or leaving the field saves, Escape cancels. */
export function InPlace(props: Props): ReactNode {
  const t = useWords(commonWords);
  const explain = useExplainError();
  const [text, setText] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpenedByKey = useRef(false);
  const errorId = useId();
  const { label, value, shown = value, empty = '—', check, onSave } = props;
  const marks = { 'data-end': props.end || undefined };

  function close(): void {
    setText(undefined);
    setError(undefined);
    if (wasOpenedByKey.current) requestAnimationFrame(() => button.current?.focus());
  }
  async function save(): Promise<void> {
    if (text === undefined || isSaving) return;
    const wanted = text.trim();
    if (wanted === value) return close();
    const wrong = check?.(wanted);
    if (wrong !== undefined) return setError(wrong);
    setSaving(true);
    try {
      await onSave(wanted);
      close();
    } catch (refusal) {
      const [first] = Object.values(fieldErrors(refusal));
      const { title } = explain(refusal);
      setError(first === undefined || first === wanted ? title : `${title}: ${first}`);
    } finally {
      setSaving(false);
    }
  }
  function press(event: KeyboardEvent): void {
    wasOpenedByKey.current = true;
    if (event.key === 'Enter') void save();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  if (props.isReadOnly === true) {
    return value === '' ? <span className="soft">{empty}</span> : <bdi className={ltrOf(props)}>{shown}</bdi>;
  }
  if (text === undefined) {
    return (
      <button
        type="button"
        ref={button}
        className="ui-in-place"
        data-empty={value === '' || undefined}
        {...marks}
        aria-label={`${label}: ${value === '' ? empty : shown}. ${t('edit')}`}
        onClick={(event) => {
          wasOpenedByKey.current = event.detail === 0;
          setText(value);
        }}
      >
        {value === '' ? empty : <bdi className={ltrOf(props)}>{shown}</bdi>}
      </button>
    );
  }
  return (
    <span className="ui-in-place-field" {...marks}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it was opened to type in it
        autoFocus
        className={props.ltr === true ? 'ui-input ltr' : 'ui-input'}
        data-invalid={error !== undefined || undefined}
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        inputMode={props.isNumber === true ? 'decimal' : 'text'}
        value={text}
        readOnly={isSaving}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(undefined);
        }}
        onKeyDown={press}
        onBlur={() => void save()}
      />
      {error !== undefined && (
        <span id={errorId} role="alert" className="ui-error-text">
          {error}
        </span>
      )}
    </span>
  );
}

function ltrOf({ ltr }: Props): string | undefined {
  return ltr === true ? 'ltr' : undefined;
}
