import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { commonWords, useFormat, useWords } from '../i18n/index.ts';
import { useExplainError } from '../platform/index.ts';
import { ErrorState } from './error-state.tsx';
import { Card, Page, Skeletons } from './parts.tsx';

/**
 * Skeleton, error or content of a query. Earlier data stays while it is read again, and also when that fails because of the
 * network or the service, with the time it was read. A refusal removes the data (`createQueries`), so the error is shown.
 */
export function Loaded<Data>(props: {
  of: UseQueryResult<Data>;
  rows?: number;
  /** Of a whole page: the way back to its list, for when there is nothing to show. */
  back?: ReactNode;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const t = useWords(commonWords);
  const { dateTime } = useFormat();
  const { of, rows = 4, children } = props;
  // An answer renders what waits for it at once, in one task; deferred, it is rendered in slices. A page that is returned to has its answer from the start.
  const isReady = useDeferredValue(of.data !== undefined);
  if (of.data !== undefined && isReady) {
    return (
      <>
        {of.isError && <p className="ui-outdated small soft">{t('asOf', { time: dateTime(of.dataUpdatedAt) })}</p>}
        {children(of.data)}
      </>
    );
  }
  if (of.data === undefined && of.isError) {
    const state = <ErrorState error={of.error} onRetry={() => void of.refetch()} />;
    return props.back === undefined ? state : <FailedPage error={of.error} back={props.back} state={state} />;
  }
  return <Skeletons rows={rows} label={t('loading')} />;
}

/** The page keeps a heading and a title of its window. */
function FailedPage({ error, back, state }: { error: unknown; back: ReactNode; state: ReactNode }): ReactNode {
  const { title } = useExplainError()(error);
  return (
    <Page title={title} note={back}>
      <Card>{state}</Card>
    </Page>
  );
}
