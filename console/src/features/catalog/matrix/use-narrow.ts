import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 640px)');

/** On a phone the first column is narrower. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
