import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useMay, useRead, useReadAgain, useSession } from '../../../platform/index.ts';
import { Badge, Button, Card, ConfirmDialog, EmptyState, Facts, Loaded, Page, showToast } from '../../../ui/index.ts';
import { settingsWords } from '../words.ts';
import { SupportHistory } from './history.tsx';
import { supportWords } from './words.ts';

const AllowDialog = lazy(() => import('./allow-dialog.tsx'));
const route = getRouteApi('/in/settings/support');
type SupportRequest = Schemas['SupportRequest'];

/** Whether the operator's staff may come in, who asks, and who was here. */
export function SupportPage(): ReactNode {
  const t = useWords(supportWords);
  const settings = useWords(settingsWords);
  const state = useRead('getSupportAccess', {}, { refetchInterval: 30_000 });
  const mayManage = useMayManage();
  const { request } = route.useSearch();
  const navigate = useNavigate({ from: '/settings/support' });
  const answered = state.data?.requests.find(({ id }) => id === request);
  const [isAllowing, setAllowing] = useState(false);
  const close = () => {
    setAllowing(false);
    void navigate({ search: {}, replace: true });
  };
  return (
    <Page title={settings('support')} note={t('note')}>
      <Loaded of={state} rows={4}>
        {({ grant, requests }) => (
          <>
            {requests.length > 0 && (
              <Requests requests={requests} onAllow={({ id }) => void navigate({ search: { request: id } })} />
            )}
            {grant === null ? <Closed onAllow={() => setAllowing(true)} /> : <OpenGrant grant={grant} />}
          </>
        )}
      </Loaded>
      {!mayManage && <p className="soft small">{t('readOnly')}</p>}
      <SupportHistory />
      <Suspense>
        {mayManage && (isAllowing || answered !== undefined) && <AllowDialog request={answered} onClose={close} />}
      </Suspense>
    </Page>
  );
}

function useMayManage(): boolean {
  const may = useMay();
  const session = useSession();
  return may('update:Settings') && session.phase === 'in' && session.account.support === null;
}

function Closed({ onAllow }: { onAllow(): void }): ReactNode {
  const t = useWords(supportWords);
  const mayManage = useMayManage();
  return (
    <Card>
      <EmptyState
        icon="lock"
        title={t('closed')}
        hint={t('closedHint')}
        action={
          mayManage && (
            <Button look="primary" onPress={onAllow}>
              {t('allow')}
            </Button>
          )
        }
      />
    </Card>
  );
}

function OpenGrant({ grant }: { grant: Schemas['SupportGrant'] }): ReactNode {
  const t = useWords(supportWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const { dateTime, relative, list } = useFormat();
  const mayManage = useMayManage();
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => api.call('endSupportAccess'),
    onSuccess: () => showToast({ tone: 'good', text: t('ended') }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: async () => {
      setAsking(false);
      await readAgain('getSupportAccess', 'listSupportGrants', 'listAudit');
    },
  });
  return (
    <Card
      title={t('openTitle')}
      tools={
        mayManage && (
          <Button look="danger" size="small" onPress={() => setAsking(true)}>
            {t('end')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [t('until'), `${dateTime(grant.expires_at)} (${relative(grant.expires_at)})`],
          [
            t('scope'),
            <span key="scope">
              <Badge tone={grant.scope === 'full' ? 'warn' : 'info'}>{t(`scope.${grant.scope}`)}</Badge>{' '}
              <span className="soft small">{t(`scope.${grant.scope}.hint`)}</span>
            </span>,
          ],
          [t('grantedBy'), <bdi key="by">{grant.granted_by.name}</bdi>],
          [
            t('entered'),
            grant.operators.length === 0 ? (
              t('notEntered')
            ) : (
              <bdi key="who">{list(grant.operators.map(({ name }) => name))}</bdi>
            ),
          ],
          grant.reason === '' ? undefined : [t('reason'), <bdi key="reason">{grant.reason}</bdi>],
        ]}
      />
      <ConfirmDialog
        title={t('endTitle')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => end.mutate()}
        confirm={t('end')}
        isBusy={end.isPending}
        danger
      >
        {t('endText')}
      </ConfirmDialog>
    </Card>
  );
}

function Requests(props: { requests: readonly SupportRequest[]; onAllow(request: SupportRequest): void }): ReactNode {
  const t = useWords(supportWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const { when, dateTime } = useFormat();
  const mayManage = useMayManage();
  const refuse = useMutation({
    mutationFn: ({ id }: SupportRequest) => api.call('refuseSupportRequest', { path: { id } }),
    onSuccess: () => showToast({ tone: 'good', text: t('refused') }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: () => readAgain('getSupportAccess', 'listAudit'),
  });
  return (
    <Card title={t('requests')}>
      <ul className="settings-sessions" aria-label={t('requests')}>
        {props.requests.map((request) => (
          <li key={request.id} className="settings-request">
            <div>
              <div>
                <strong>{t('asks', { name: request.operator.name })}</strong>{' '}
                <Badge tone={request.scope === 'full' ? 'warn' : 'info'}>{t(`scope.${request.scope}`)}</Badge>
              </div>
              <p dir="auto">{request.reason}</p>
              <time className="soft small" dateTime={request.created} title={dateTime(request.created)}>
                {when(request.created)}
              </time>
            </div>
            {mayManage && (
              <span className="settings-answers">
                <Button
                  isPending={refuse.isPending && refuse.variables.id === request.id}
                  onPress={() => refuse.mutate(request)}
                >
                  {t('refuse')}
                </Button>
                <Button look="primary" onPress={() => props.onAllow(request)}>
                  {t('allow')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
