import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 640px)');

/** On a telephone the first column leaves room for the others. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
