import type { Answer } from '@dukkan/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive, useRead, useReadAgain } from '../../platform/index.ts';
import type { Range } from './ranges.ts';

type Dashboard = Answer<'readAnalyticsDashboard'>;
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

/**
 * One section of the dashboard, requested separately: a slow or failing one does not delay others. Null where the service omits
 * the section. Sections in one area are requested `together`, so that none moves another when it arrives; each still fails
 * alone.
 */
export function useSection<Name extends keyof Sections>(
  name: Name,
  range: Range,
  together: readonly (keyof Sections)[] = [name],
): UseQueryResult<Sections[Name] | null> {
  const asked = { query: { range, section: [...together] } };
  const answer = useRead('readAnalyticsDashboard', asked, { staleTime: 60_000, refetchInterval: 60_000 });
  const failure = answer.data?.errors?.[name];
  if (failure !== undefined) {
    return { ...answer, data: undefined, isError: true, error: new Error(failure) } as unknown as UseQueryResult<
      Sections[Name] | null
    >;
  }
  const data = answer.data === undefined ? undefined : (answer.data.data[name] ?? null);
  return { ...answer, data } as unknown as UseQueryResult<Sections[Name] | null>;
}
