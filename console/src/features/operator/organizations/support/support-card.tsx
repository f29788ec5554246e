import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../../i18n/index.ts';
import { openSupport, useApi, useExplainError, useRead, useReadAgain } from '../../../../platform/index.ts';
import { Badge, Button, Card, Loaded, showToast } from '../../../../ui/index.ts';
import type { Tenant } from '../tenant.ts';
import { supportWords } from './words.ts';

const RequestAccess = lazy(() => import('./request-access.tsx'));

/** The way into an organization: ask, wait for its owners, open it while they allow it. */
export function SupportCard({ one }: { one: Tenant }): ReactNode {
  const t = useWords(supportWords);
  const state = useRead(
    'getOrganizationSupportAccess',
    { path: { id: one.id } },
    // The owners answer while the operator waits.
    { refetchInterval: 15_000 },
  );
  return (
    <Card title={t('title')}>
      <Loaded of={state} rows={2}>
        {({ grant, request }) => {
          if (grant !== null) return <Open one={one} until={grant.expires_at} scope={grant.scope} />;
          if (request?.status === 'open') return <Waiting one={one} since={request.created} />;
          return <None one={one} refusedAt={request?.status === 'refused' ? request.created : undefined} />;
        }}
      </Loaded>
    </Card>
  );
}

function useFailure() {
  const explain = useExplainError();
  return (error: unknown) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });
}

function Open({ one, until, scope }: { one: Tenant; until: string; scope: 'read' | 'full' }): ReactNode {
  const t = useWords(supportWords);
  const { dateTime } = useFormat();
  const readAgain = useReadAgain();
  const fail = useFailure();
  const enter = useMutation({
    mutationFn: () => openSupport(one.id),
    onError: async (error) => {
      fail(error);
      await readAgain('getOrganizationSupportAccess');
    },
  });
  return (
    <div className="operator-stack">
      <p>
        {t('open', { until: dateTime(until) })}{' '}
        <Badge tone={scope === 'full' ? 'warn' : 'info'}>{t(`scope.${scope}`)}</Badge>
      </p>
      <p className="soft small">{t('inside')}</p>
      <div>
        <Button look="primary" isPending={enter.isPending} onPress={() => enter.mutate()}>
          {t('enter')}
        </Button>
      </div>
    </div>
  );
}

function Waiting({ one, since }: { one: Tenant; since: string }): ReactNode {
  const t = useWords(supportWords);
  const { when } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const fail = useFailure();
  const withdraw = useMutation({
    mutationFn: () => api.call('withdrawSupportRequest', { path: { id: one.id } }),
    onSuccess: () => showToast({ tone: 'good', text: t('withdrawn') }),
    onError: fail,
    onSettled: () => readAgain('getOrganizationSupportAccess', 'listOperatorAudit'),
  });
  return (
    <div className="operator-stack">
      <p>{t('waiting', { when: when(since) })}</p>
      <div>
        <Button isPending={withdraw.isPending} onPress={() => withdraw.mutate()}>
          {t('withdraw')}
        </Button>
      </div>
    </div>
  );
}

function None({ one, refusedAt }: { one: Tenant; refusedAt: string | undefined }): ReactNode {
  const t = useWords(supportWords);
  const { when } = useFormat();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="operator-stack">
      {refusedAt !== undefined && <p>{t('refused', { when: when(refusedAt) })}</p>}
      <p className="soft">{t('none')}</p>
      <div>
        <Button onPress={() => setAsking(true)}>{t('request')}</Button>
      </div>
      <Suspense>{isAsking && <RequestAccess one={one} onClose={() => setAsking(false)} />}</Suspense>
    </div>
  );
}
