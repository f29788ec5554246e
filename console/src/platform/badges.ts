import type { ReactNode } from 'react';
import type { Grant } from './account.ts';
import { whenScopeEnds } from './scope.ts';
import { createStore, useStore } from './store.ts';

/** Without output: it counts for the navigation and reports by sound or notice while the console is open. */
export type Watch = {
  grant: Grant;
  /** Not for accounts of one branch. */
  wholeOrganization?: boolean;
  load(): Promise<{ default: () => ReactNode }>;
};

const counts = createStore<Readonly<Record<string, number>>>({});
whenScopeEnds(() => counts.set({}));

/** The number beside a navigation entry, by its path. 0 shows nothing. */
export function setBadge(path: string, count: number): void {
  const now = counts.get();
  if ((now[path] ?? 0) !== count) counts.set({ ...now, [path]: count });
}

export const useBadge = (path: string): number => useStore(counts)[path] ?? 0;
