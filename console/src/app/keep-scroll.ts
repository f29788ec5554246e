import type { AnyRouter, ParsedLocation } from '@tanstack/react-router';

/** After this long the user has begun to read. */
const LONGEST_MS = 5_000;
const MOST_POSITIONS = 100;
/** In `sessionStorage`, by the random keys of history entries. */
const STORED = 'dukkan.scroll';
/** From here on the user decides where the page stands. */
const BY_HAND = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * The router restores the position once, when a page is rendered. A list whose rows are read again grows, and shrinks, after that: without this it was
 * left at its beginning. Until the user does something, the position is restored whenever the page is long enough for it, also after a reload.
 */
export function keepScroll(router: AnyRouter): void {
  const tops = readTops();
  const keyOf = ({ state }: ParsedLocation) => state.__TSR_key ?? '';
  let awaited: { top: number; stop(): void } | undefined;

  function note(left: ParsedLocation): void {
    tops.delete(keyOf(left));
    tops.set(keyOf(left), awaited?.top ?? window.scrollY);
    if (tops.size > MOST_POSITIONS) tops.delete([...tops.keys()][0] ?? '');
  }

  router.subscribe('onBeforeLoad', ({ fromLocation }) => {
    if (fromLocation === undefined) return;
    note(fromLocation);
    awaited?.stop();
  });

  window.addEventListener('pagehide', () => {
    note(router.state.location);
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...tops]));
    } catch {
      // Not stored.
    }
  });

  router.subscribe('onRendered', ({ toLocation }) => {
    awaited?.stop();
    const top = tops.get(keyOf(toLocation));
    if (top !== undefined && top > 0) {
      awaited = holdPosition(top, () => {
        awaited = undefined;
      });
    }
  });
}

function readTops(): Map<string, number> {
  try {
    return new Map<string, number>(JSON.parse(sessionStorage.getItem(STORED) ?? '[]'));
  } catch {
    return new Map();
  }
}

function holdPosition(top: number, whenDone: () => void): { top: number; stop(): void } {
  const observer = new ResizeObserver(() => {
    const isLongEnough = document.documentElement.scrollHeight - window.innerHeight >= top;
    if (isLongEnough && Math.abs(window.scrollY - top) >= 1) window.scrollTo({ top, behavior: 'instant' });
  });
  const timer = setTimeout(stop, LONGEST_MS);
  function stop(): void {
    observer.disconnect();
    clearTimeout(timer);
    for (const name of BY_HAND) window.removeEventListener(name, stop);
    whenDone();
  }
  for (const name of BY_HAND) window.addEventListener(name, stop, { passive: true });
  observer.observe(document.body);
  return { top, stop };
}
