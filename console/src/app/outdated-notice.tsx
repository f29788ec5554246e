import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useFormat, useWords } from '../i18n/index.ts';
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
