import { useEffect, useRef } from 'react';

/** A key, `mod+k` for Ctrl or Command, or the sequence `g o`. */
export type Shortcuts = Record<string, () => void>;

const SEQUENCE_MS = 900;

/** Shortcut keys of the page. They do not apply in text fields or while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    let first = '';
    let at = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const mod = event.ctrlKey || event.metaKey;
      if (!mod && isTyping(event.target)) return;
      if (!mod && document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return;
      const key = mod ? `mod+${event.key.toLowerCase()}` : event.key;
      const sequence = first !== '' && event.timeStamp - at < SEQUENCE_MS ? `${first} ${key}` : '';
      const run = latest.current[sequence] ?? latest.current[key];
      first = key;
      at = event.timeStamp;
      if (run === undefined) return;
      first = '';
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
