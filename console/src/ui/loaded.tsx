import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useWords } from '../i18n/index.ts';
import { ErrorState } from './error-state.tsx';
import { Skeletons } from './parts.tsx';

/**
 * Skeleton, failure or content of something that is read. What was there stays while it is read again, and also when that fails
 * for the network or the service, with the time it was read. A refusal leaves no data (`createQueries`), so it shows as such.
 */
export function Loaded<Data>(props: {
  of: UseQueryResult<Data>;
  rows?: number;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const t = useWords(commonWords);
  const { dateTime } = useFormat();
  const { of, rows = 4, children } = props;
  if (of.data !== undefined) {
    return (
      <>
        {of.isError && <p className="ui-outdated small soft">{t('asOf', { time: dateTime(of.dataUpdatedAt) })}</p>}
        {children(of.data)}
      </>
    );
  }
  if (of.isError) return <ErrorState error={of.error} onRetry={() => void of.refetch()} />;
  return <Skeletons rows={rows} label={t('loading')} />;
}
