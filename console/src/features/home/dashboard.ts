import type { Answer } from '@dukkan/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRead } from '../../platform/index.ts';
import type { Range } from './ranges.ts';

type Dashboard = Answer<'readAnalyticsDashboard'>;
export type Sections = Required<Dashboard['data']>;

/**
 * One section of the dashboard, asked for by itself: a slow or failing one holds up no other. Null where it has nothing to
 * say, because the service leaves such a section out. Those that stand in one place are asked for `together`, so that none
 * of them moves another when it comes; each still fails alone.
 */
export function useSection<Name extends keyof Sections>(
  name: Name,
  range: Range,
  together: readonly (keyof Sections)[] = [name],
): UseQueryResult<Sections[Name] | null> {
  const asked = { query: { range, section: [...together] } };
  const answer = useRead('readAnalyticsDashboard', asked, { staleTime: 60_000 });
  const failure = answer.data?.errors?.[name];
  if (failure !== undefined) {
    return { ...answer, data: undefined, isError: true, error: new Error(failure) } as unknown as UseQueryResult<
      Sections[Name] | null
    >;
  }
  const data = answer.data === undefined ? undefined : (answer.data.data[name] ?? null);
  return { ...answer, data } as unknown as UseQueryResult<Sections[Name] | null>;
}
