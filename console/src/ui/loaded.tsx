import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { ErrorState } from './error-state.tsx';
import { Skeletons } from './parts.tsx';

/** Skeleton, failure or content of something that is read. What was there stays while it is read again. */
export function Loaded<Data>(props: {
  of: UseQueryResult<Data>;
  rows?: number;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const t = useWords(commonWords);
  const { of, rows = 4, children } = props;
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <ErrorState error={of.error} onRetry={() => void of.refetch()} />;
  return <Skeletons rows={rows} label={t('loading')} />;
}
