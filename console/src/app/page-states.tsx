import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { awaitService, isScriptMissing, pingService } from '../platform/service-return.ts';
import { EmptyState, ErrorState, Page, Skeleton, Skeletons } from '../ui/index.ts';

export function MissingPage(): ReactNode {
  const t = useWords(commonWords);
  return (
    <Page title={t('notFound')}>
      <EmptyState title={t('notFound')} hint={t('notFoundHint')} action={<Link to="/">{t('goHome')}</Link>} />
    </Page>
  );
}

/**
 * A page whose script could not be loaded, or that threw an error. Browsers keep a failed script, so the page is loaded as a whole, and only
 * when the service answers: otherwise the browser's own error page would replace the console.
 */
export function FailedPage({ error, reset }: { error: unknown; reset: () => void }): ReactNode {
  const t = useWords(commonWords);
  const isMissing = isScriptMissing(error);
  useEffect(() => {
    if (!isMissing) return;
    const ended = new AbortController();
    void awaitService(ended.signal).then((isBack) => isBack && window.location.reload());
    return () => ended.abort();
  }, [isMissing]);
  const reload = () => void pingService().then((isThere) => isThere && window.location.reload());
  return (
    <Page title={t('failed')}>
      <ErrorState error={error} onRetry={isMissing ? reload : reset} />
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
