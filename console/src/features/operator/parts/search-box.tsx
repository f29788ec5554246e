import { type ReactNode, useEffect, useRef, useState } from 'react';
import { SearchField } from '../../../ui/index.ts';

const TYPING_MS = 250;

/** Asks when the typing pauses, and follows the address when that changes by other means. */
export function SearchBox(props: {
  label: string;
  placeholder: string;
  text: string;
  onText(text: string): void;
}): ReactNode {
  const { label, placeholder, text, onText } = props;
  const [typed, setTyped] = useState(text);
  const tell = useRef(onText);
  useEffect(() => {
    tell.current = onText;
  });
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => tell.current(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return <SearchField label={label} placeholder={placeholder} value={typed} onChange={setTyped} />;
}
