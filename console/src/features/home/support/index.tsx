import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useRead, useReadAgain } from '../../../platform/index.ts';
import { Button, Notice, showToast } from '../../../ui/index.ts';
import './support.css';
import { supportWords } from './words.ts';

/** For those who answer: requests of support, and access that is open. Allowing needs a choice of time, so it has a page. */
export default function SupportNotice(): ReactNode {
  const t = useWords(supportWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const { dateTime } = useFormat();
  const state = useRead('getSupportAccess', {}, { refetchInterval: 60_000 });
  const refuse = useMutation({
    mutationFn: (id: string) => api.call('refuseSupportRequest', { path: { id } }),
    onSuccess: () => showToast({ tone: 'good', text: t('refused') }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: () => readAgain('getSupportAccess'),
  });
  // A failure needs no message: the home page works without it, and the settings page shows it.
  const { grant = null, requests = [] } = state.data ?? {};
  const [request] = requests;
  if (request !== undefined) {
    return (
      <Notice tone="warn">
        <div className="home-support">
          <span>
            <strong>{t('asks', { name: request.operator.name })}</strong> <bdi>{request.reason}</bdi>
          </span>
          <span className="home-support-answers">
            <Button size="small" isPending={refuse.isPending} onPress={() => refuse.mutate(request.id)}>
              {t('refuse')}
            </Button>
            <Link to="/settings/support" search={{ request: request.id }} className="home-support-allow">
              {t('review')}
            </Link>
          </span>
        </div>
      </Notice>
    );
  }
  if (grant === null) return null;
  return (
    <Notice>
      {t('open', { until: dateTime(grant.expires_at) })} <Link to="/settings/support">{t('manage')}</Link>
    </Notice>
  );
}
