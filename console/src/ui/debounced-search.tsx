import { type ReactNode, useEffect, useRef, useState } from 'react';
import { SearchField } from './search-field.tsx';

const DEBOUNCE_MS = 250;

/** A search field that reports its text when typing pauses, and follows `text` when the address changes it. */
export function DebouncedSearch(props: {
  label: string;
  placeholder?: string;
  text: string;
  onText(text: string): void;
}): ReactNode {
  const { label, placeholder, text, onText } = props;
  const [typed, setTyped] = useState(text);
  // In a ref: callers pass a new function with every render, and a live list renders more often than the timer fires.
  const report = useRef(onText);
  useEffect(() => {
    report.current = onText;
  });
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => report.current(typed.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return <SearchField label={label} {...(placeholder && { placeholder })} value={typed} onChange={setTyped} />;
}
