import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive, useRead, useReadAgain } from '../../platform/index.ts';
import { type Dashboard, keepFailed, type Stored } from './keep-failed.ts';
import type { Range } from './ranges.ts';

export type Sections = Required<Dashboard['data']>;

/** Orders reach the figures some seconds after their event. */
const FIRST_MS = 3_000;
const AGAIN_MS = 15_000;

/** Reads the figures again while orders arrive: soon after the first, then at most every 15 s, since each read is expensive. */
export function useLiveSections(): void {
  const readAgain = useReadAgain();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAt = useRef(0);
  useLive(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        readAt.current = Date.now();
        void readAgain('readAnalyticsDashboard');
      },
      Math.max(FIRST_MS, readAt.current + AGAIN_MS - Date.now()),
    );
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

const READ = {
  staleTime: 60_000,
  refetchInterval: 60_000,
  structuralSharing: (before: unknown, now: unknown) => keepFailed(before as Stored | undefined, now as Dashboard),
};

/**
 * One section of the dashboard, requested separately: a slow or failing one does not delay others. Null where the service omits
 * the section. A section that fails keeps its last figures and `dataUpdatedAt`, with `isError`. Sections in one area are requested
 * `together`, so that none moves another when it arrives; each still fails alone.
 */
export function useSection<Name extends keyof Sections>(
  name: Name,
  range: Range,
  together: readonly (keyof Sections)[] = [name],
): UseQueryResult<Sections[Name] | null> {
  const answer = useRead('readAnalyticsDashboard', { query: { range, section: [...together] } }, READ);
  const stored: Stored | undefined = answer.data;
  const failure = stored?.errors?.[name];
  const readAt = stored?.readAt?.[name];
  const isMissing = stored === undefined || (failure !== undefined && readAt === undefined);
  return {
    ...answer,
    data: isMissing ? undefined : (stored.data[name] ?? null),
    ...(failure !== undefined && { isError: true, error: new Error(failure) }),
    ...(readAt !== undefined && { dataUpdatedAt: Date.parse(readAt) }),
  } as unknown as UseQueryResult<Sections[Name] | null>;
}
