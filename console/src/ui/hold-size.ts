import type { PointerEvent } from 'react';

/**
 * Keeps the size of a dialog while something at its foot is pressed. What arrives meanwhile, and an error that is shown when a field is
 * left, would move the button from under the pointer: the press would end beside it and be lost.
 */
export function holdSize({ currentTarget }: PointerEvent<HTMLElement>): void {
  const dialog = currentTarget.closest<HTMLElement>('.ui-dialog');
  if (dialog === null) return;
  dialog.style.blockSize = `${dialog.getBoundingClientRect().height}px`;
  const released = new AbortController();
  const release = () => {
    released.abort();
    // After the click, which the browser sends right after it.
    setTimeout(() => dialog.style.removeProperty('block-size'));
  };
  for (const event of ['pointerup', 'pointercancel'])
    window.addEventListener(event, release, { capture: true, signal: released.signal });
}
