import type { KeyboardEvent, ReactNode } from 'react';
import { useRef } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Icon } from './icon.tsx';

/** The browser's own field: that of react-aria was 11 kB in front of the first rows of every list. Escape and the button empty it. */
export function SearchField(props: {
  label: string;
  placeholder?: string;
  value: string;
  onChange(text: string): void;
}): ReactNode {
  const t = useWords(commonWords);
  const input = useRef<HTMLInputElement>(null);
  const { label, placeholder = label, value, onChange } = props;
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || value === '') return;
    // A dialog around it stays open.
    event.preventDefault();
    event.stopPropagation();
    onChange('');
  }
  function clear(): void {
    onChange('');
    input.current?.focus();
  }
  return (
    <div className="ui-search" data-empty={value === '' || undefined}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        className="ui-input"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
      />
      <button
        type="button"
        className="ui-button"
        data-look="quiet"
        data-size="small"
        data-icon-only
        aria-label={t('clear')}
        tabIndex={-1}
        onClick={clear}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
