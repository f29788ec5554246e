import type { ReactNode } from 'react';
import './picker.css';

/** What a picker without a visible label looks like until it is loaded. */
export function PickerSpace({ placeholder }: { placeholder: string }): ReactNode {
  return (
    <div>
      <span className="ui-picker">
        <input className="ui-input" readOnly tabIndex={-1} placeholder={placeholder} aria-label={placeholder} />
      </span>
    </div>
  );
}
