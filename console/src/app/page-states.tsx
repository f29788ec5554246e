import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { EmptyState, ErrorState, Page, Skeleton, Skeletons } from '../ui/index.ts';

export function MissingPage(): ReactNode {
  const t = useWords(commonWords);
  return (
    <Page title={t('notFound')}>
      <EmptyState title={t('notFound')} hint={t('notFoundHint')} action={<Link to="/">{t('goHome')}</Link>} />
    </Page>
  );
}

/** A page whose script could not be loaded, or that threw an error. */
export function FailedPage({ error, reset }: { error: unknown; reset: () => void }): ReactNode {
  const t = useWords(commonWords);
  return (
    <Page title={t('failed')}>
      <ErrorState error={error} onRetry={reset} />
    </Page>
  );
}

export function PendingPage(): ReactNode {
  const t = useWords(commonWords);
  return (
    <Page title={<Skeleton width="160px" height="24px" />}>
      <Skeletons rows={6} label={t('loading')} />
    </Page>
  );
}
