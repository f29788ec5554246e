import { type ReactNode, useEffect, useState } from 'react';
import { SearchField } from './field.tsx';

const TYPING_MS = 250;

/** Asks when the typing pauses, and follows its value when that changes by other means. */
export function PausedSearch(props: {
  label: string;
  placeholder?: string;
  text: string;
  onText(text: string): void;
}): ReactNode {
  const { label, placeholder, text, onText } = props;
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return <SearchField label={label} {...(placeholder && { placeholder })} value={typed} onChange={setTyped} />;
}
