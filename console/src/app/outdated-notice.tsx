import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useFormat, useWords } from '../i18n/index.ts';
import { awaitService, isServiceAway, pause } from '../platform/service-return.ts';
import { Button, Notice } from '../ui/index.ts';
import { outdatedWords } from './outdated-words.ts';

/**
 * Shows once for the whole page that some of it could not be read again, and how old it is: also for figures and names outside
 * of a `Loaded`.
 */
export default function OutdatedNotice(): ReactNode {
  const t = useWords(outdatedWords);
  const { dateTime } = useFormat();
  const queries = useQueryClient();
  const since = useSyncExternalStore(
    (listener) => queries.getQueryCache().subscribe(listener),
    () => oldestOutdated(queries),
  );
  useRetryWhenServiceReturns(queries);
  if (since === undefined) return null;
  return (
    <Notice tone="warn">
      {t('outdated', { time: dateTime(since) })}{' '}
      <Button size="small" onPress={() => void queries.refetchQueries({ predicate: isOutdated })}>
        {t('retry')}
      </Button>
    </Notice>
  );
}

function oldestOutdated(queries: QueryClient): number | undefined {
  const times = queries
    .getQueryCache()
    .findAll({ predicate: isOutdated })
    .map(({ state }) => state.dataUpdatedAt);
  return times.length === 0 ? undefined : Math.min(...times);
}

const isOutdated = (query: Query) =>
  query.state.status === 'error' && query.state.data !== undefined && query.isActive();

const isUnanswered = (query: Query) =>
  query.state.status === 'error' && query.isActive() && isServiceAway(query.state.error);

/** Reads what the service did not answer, as its message promises. */
function useRetryWhenServiceReturns(queries: QueryClient): void {
  const isAway = useSyncExternalStore(
    (listener) => queries.getQueryCache().subscribe(listener),
    () => queries.getQueryCache().findAll({ predicate: isUnanswered }).length > 0,
  );
  useEffect(() => {
    if (!isAway) return;
    const ended = new AbortController();
    const retry = async () => {
      // Not at once: a service that answers pings only would be asked without a pause.
      await pause(ended.signal);
      await awaitService(ended.signal);
      if (!ended.signal.aborted) await queries.refetchQueries({ predicate: isUnanswered });
    };
    void retry();
    return () => ended.abort();
  }, [isAway, queries]);
}
