import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useFormat } from '../../i18n/index.ts';
import { useApi, useLive, useReadAgain, useScope } from '../../platform/index.ts';
import { filtersOf } from './order-query.ts';
import type { SavedView } from './use-saved-views.ts';

/** Of the views, in the order of the menu. */
const MAX_COUNTED = 10;
const STALE_AFTER_MS = 15_000;
/** Changes of orders within this time cause one reading. */
const PAUSE_MS = 5_000;
const COUNT = 'countOrdersOfView';

/** The exact number of orders of each view. Read while the menu is open, and again after changes that the feed reports. */
export function useViewCounts(views: readonly SavedView[], isOpen: boolean): ReadonlyMap<string, number> {
  const api = useApi();
  const { organizationId } = useScope();
  const { timeZone } = useFormat();
  const readAgain = useReadAgain();
  const counted = views.slice(0, MAX_COUNTED);
  const totals = useQueries({
    queries: counted.map(({ search }) => {
      const query = { limit: 1, ...filtersOf(search, timeZone) } as const;
      return {
        queryKey: [organizationId, COUNT, query],
        queryFn: ({ signal }: { signal: AbortSignal }) => api.call('listOrders', { query, signal }),
        enabled: isOpen,
        staleTime: STALE_AFTER_MS,
      };
    }),
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive(() => {
    if (!isOpen || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void readAgain(COUNT);
    }, PAUSE_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return new Map(
    counted.flatMap(({ name }, index): [string, number][] => {
      const total = totals[index]?.data?.pagination.total_items;
      return total === undefined ? [] : [[name, total]];
    }),
  );
}
