import { useRef } from 'react';

/**
 * An Idempotency-Key that stays the same while the content does: pressing again after a lost connection repeats the request,
 * and a changed amount is a new one.
 */
export function useKeyFor(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    const text = JSON.stringify(content);
    if (last.current.content !== text) last.current = { content: text, key: newKey() };
    return last.current.key;
  };
}

/** `randomUUID` exists only on secure pages. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
