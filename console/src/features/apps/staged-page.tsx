import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { commonWords, useChannelName, useFormat, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useMay, useRead, useReadAgain } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Badge, Button, Card, ConfirmDialog, Facts, Loaded, Page, showToast, Tabs } from '../../ui/index.ts';
import './apps.css';
import { stagedTone } from './families.ts';
import { healthWords } from './health-words.ts';
import { outcomeWord } from './reasons.ts';
import { useInstalls } from './use-install-name.ts';
import { WhatToMend } from './what-to-mend.tsx';
import { appsWords } from './words.ts';

const MendPayload = lazy(() => import('./mend-payload.tsx'));

const route = getRouteApi('/in/staging/$id');
const AGAIN_MS = 1_500;
type Staged = Schemas['StagedPayloadInFull'];

export function StagedPage(): ReactNode {
  const t = useWords(appsWords);
  const { id } = route.useParams();
  const staged = useRead(
    'getStagedPayload',
    { path: { id } },
    // Pending payloads are processed automatically, mostly within moments.
    { refetchInterval: ({ state }) => (state.data?.status === 'pending' ? AGAIN_MS : false) },
  );
  return (
    <Loaded of={staged} rows={8} back={<BackLink to="/staging">{t('backToInbox')}</BackLink>}>
      {(row) => <OneStaged row={row} />}
    </Loaded>
  );
}

function OneStaged({ row }: { row: Staged }): ReactNode {
  const t = useWords(appsWords);
  const channel = useChannelName();
  const { nameOf } = useInstalls();
  const { dateTime, hijri, number } = useFormat();
  const name = nameOf(row.organization_app_id);
  const outcome = outcomeWord(row);
  const health = useWords(healthWords);
  const current = row.original_payload === null ? t('asItCame') : health('mended');
  const title = row.external_order_id ?? row.event ?? name ?? channel(row.app_slug);
  return (
    <Page
      title={
        <span className="apps-title">
          <span className="ltr">{title}</span>
          <Badge tone={stagedTone(row.status)}>{t(`staged.${row.status}`)}</Badge>
          {outcome !== undefined && <Badge>{t(outcome)}</Badge>}
        </span>
      }
      name={title}
      note={<BackLink to="/staging">{t('backToInbox')}</BackLink>}
      tools={<Acts row={row} />}
    >
      <WhatToMend row={row} isInstalled={name !== undefined} />
      <div className="apps-columns">
        <Card title={t('payload')}>
          <Tabs
            label={t('payload')}
            tabs={[
              {
                id: 'payload',
                title: current,
                content: <CodeBlock label={current} text={pretty(row.payload)} tall />,
              },
              ...(row.original_payload === null
                ? []
                : [
                    {
                      id: 'original',
                      title: health('original'),
                      content: <CodeBlock label={health('original')} text={pretty(row.original_payload)} tall />,
                    },
                  ]),
              {
                id: 'headers',
                title: t('headers'),
                content: <CodeBlock label={t('headers')} text={headersText(row.headers)} />,
              },
            ]}
          />
        </Card>
        <Card title={t('about')}>
          <Facts
            facts={[
              [
                t('column.app'),
                name === undefined ? (
                  channel(row.app_slug)
                ) : (
                  <Link key="app" to="/apps/$id" params={{ id: row.organization_app_id }}>
                    {name}
                  </Link>
                ),
              ],
              row.event === null
                ? undefined
                : [
                    t('event'),
                    <span key="event" className="ltr">
                      {row.event}
                    </span>,
                  ],
              row.external_order_id === null
                ? undefined
                : [
                    t('theirNumber'),
                    <span key="number" className="ltr">
                      {row.external_order_id}
                    </span>,
                  ],
              row.order_id === null
                ? undefined
                : [
                    t('order'),
                    <Link key="order" to="/orders/$id" params={{ id: row.order_id }}>
                      {t('openOrder')}
                    </Link>,
                  ],
              row.mended_by === null ? undefined : [health('mendedBy'), <bdi key="mended">{row.mended_by}</bdi>],
              [t('attempts'), number(row.attempts)],
              [t('column.received'), dateTime(row.received_at)],
              [t('hijri'), hijri(row.received_at)],
              row.processed_at === null ? undefined : [t('processedAt'), dateTime(row.processed_at)],
            ]}
          />
        </Card>
      </div>
    </Page>
  );
}

function Acts({ row }: { row: Staged }): ReactNode {
  const t = useWords(appsWords);
  const common = useWords(commonWords);
  const may = useMay();
  const api = useApi();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const health = useWords(healthWords);
  const [isAsking, setAsking] = useState(false);
  const [isMending, setMending] = useState(false);
  const path = { id: row.id };
  const say = (error: unknown) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });
  const retry = useMutation({
    mutationFn: () => api.call('retryStagedPayload', { path }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('retried') });
      await readAgain('getStagedPayload', 'listStagedPayloads');
    },
    onError: say,
  });
  const remove = useMutation({
    mutationFn: () => api.call('deleteStagedPayload', { path }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('payloadDeleted') });
      await navigate({ to: '/staging' });
      await readAgain('listStagedPayloads');
    },
    onError: say,
    onSettled: () => setAsking(false),
  });
  return (
    <>
      {may('update:Apps') && (
        <Button look="primary" isPending={retry.isPending} onPress={() => retry.mutate()}>
          {t('readAgain')}
        </Button>
      )}
      {may('update:Apps') && row.status === 'failed' && (
        <Button onPress={() => setMending(true)}>{health('edit')}</Button>
      )}
      <Suspense>
        {isMending && <MendPayload id={row.id} text={pretty(row.payload)} onClose={() => setMending(false)} />}
      </Suspense>
      {may('delete:Apps') && (
        <Button look="danger" onPress={() => setAsking(true)}>
          {common('delete')}
        </Button>
      )}
      <ConfirmDialog
        title={t('deletePayloadTitle')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        confirm={common('delete')}
        isBusy={remove.isPending}
        danger
      >
        <p>{t('deletePayloadText')}</p>
      </ConfirmDialog>
    </>
  );
}

/** Formats JSON. A text with numbers beyond the double precision is not formatted: parsing would change them. */
function pretty(text: string): string {
  if (/\d{16,}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
