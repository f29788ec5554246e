import { type ReactNode, useId } from 'react';
import { CopyButton } from './copy-button.tsx';
import './code-block.css';

/** A read-only value to copy: an address, a token. A click selects it. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }): ReactNode {
  const id = useId();
  return (
    <div className="ui-field">
      <label className="ui-label" htmlFor={id}>
        {label}
      </label>
      <div className="ui-copy-field">
        <input
          id={id}
          className="ui-input ltr"
          readOnly
          value={value}
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={value} label={label} />
      </div>
      {hint !== undefined && <span className="ui-hint">{hint}</span>}
    </div>
  );
}
