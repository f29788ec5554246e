import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useHasDraft, useMay, useOrganization, useRead } from '../../platform/index.ts';
import { FigureStrip } from '../../ui/figure-strip.tsx';
import { Badge, Button, Card, type Column, DataTable, EmptyState, Loaded, Page } from '../../ui/index.ts';
import { type Health, healthOf, healthTone, type Subscription } from './health.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { SubscriptionForm, WEBHOOK_DRAFT } from './subscription-form.tsx';
import './webhooks.css';
import { webhooksWords } from './words.ts';

const COUNTS_MS = 30_000;

export function WebhooksPage(): ReactNode {
  const t = useWords(webhooksWords);
  const may = useMay();
  const { branch_id } = useOrganization();
  const mayCreate = may('create:Webhooks') && branch_id === null;
  const [isCreating, setCreating] = useState(useHasDraft(WEBHOOK_DRAFT));
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const navigate = useNavigate();
  const subscriptions = useRead('listWebhookSubscriptions', {}, { refetchInterval: COUNTS_MS });
  const create = mayCreate && (
    <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
      {t('add')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      note={t('intro')}
      tools={
        <>
          <Link to="/webhooks/events" className="ui-button">
            {t('catalog')}
          </Link>
          {create}
        </>
      }
    >
      <Loaded of={subscriptions} rows={8}>
        {({ data }) =>
          data.length === 0 ? (
            <Card flush>
              <EmptyState icon="webhooks" title={t('empty')} hint={t('emptyHint')} action={create} />
            </Card>
          ) : (
            <>
              <Glance rows={data} />
              <Card flush>
                <SubscriptionTable rows={data} />
              </Card>
            </>
          )
        }
      </Loaded>
      {isCreating && mayCreate && (
        <SubscriptionForm
          onClose={() => setCreating(false)}
          onMade={(id, secret) => {
            setCreating(false);
            setMade({ id, secret });
          }}
        />
      )}
      {made !== undefined && (
        <SecretDialog
          title={t('secretTitle')}
          secret={made.secret}
          onClose={() => void navigate({ to: '/webhooks/$id', params: { id: made.id } })}
        />
      )}
    </Page>
  );
}

/** How many subscriptions are healthy, and how many need attention. */
function Glance({ rows }: { rows: readonly Subscription[] }): ReactNode {
  const t = useWords(webhooksWords);
  const { number, when } = useFormat();
  const count = (...healths: Health[]) => rows.filter((row) => healths.includes(healthOf(row))).length;
  const failing = count('failing', 'disabled');
  const paused = count('paused');
  const last =
    rows
      .map((row) => row.last_success_at)
      .toSorted()
      .at(-1) ?? '';
  return (
    <FigureStrip
      label={t('glance')}
      figures={[
        { name: t('health.healthy'), value: number(count('healthy')), tone: count('healthy') > 0 ? 'good' : undefined },
        { name: t('needAttention'), value: number(failing), tone: failing > 0 ? 'bad' : undefined },
        { name: t('health.paused'), value: number(paused), tone: paused > 0 ? 'warn' : undefined },
        { name: t('lastSuccess'), value: last === '' ? '—' : when(last) },
      ]}
    />
  );
}

function SubscriptionTable({ rows }: { rows: readonly Subscription[] }): ReactNode {
  const t = useWords(webhooksWords);
  const { when, dateTime } = useFormat();
  const navigate = useNavigate();
  const columns: Column<Subscription>[] = [
    {
      id: 'url',
      title: t('column.address'),
      width: 'minmax(160px, 2.4fr)',
      render: ({ url, description }) => (
        <span className="ui-cell-two">
          <span className="ltr strong clip">{url}</span>
          {description !== '' && <bdi className="soft small clip">{description}</bdi>}
        </span>
      ),
    },
    {
      id: 'health',
      title: t('column.health'),
      width: '118px',
      render: (row) => <Badge tone={healthTone(healthOf(row))}>{t(`health.${healthOf(row)}`)}</Badge>,
    },
    {
      id: 'events',
      title: t('column.events'),
      width: 'minmax(96px, 1fr)',
      from: 'wide',
      render: ({ event_types }) =>
        event_types.length === 0 ? t('allEvents') : t('someEvents', { count: event_types.length }),
    },
    {
      id: 'delivered',
      title: t('status.delivered'),
      width: '96px',
      end: true,
      from: 'medium',
      render: ({ id }) => <Count id={id} status="delivered" />,
    },
    {
      id: 'dead',
      title: t('status.dead'),
      width: '96px',
      end: true,
      from: 'medium',
      render: ({ id }) => <Count id={id} status="dead" />,
    },
    {
      id: 'last',
      title: t('lastSuccess'),
      width: '124px',
      end: true,
      from: 'wide',
      render: ({ last_success_at: at }) =>
        at === '' ? (
          <span className="soft">{t('never')}</span>
        ) : (
          <time dateTime={at} title={dateTime(at)}>
            {when(at)}
          </time>
        ),
    },
  ];
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/webhooks/$id', params: { id } })}
    />
  );
}

function Count({ id, status }: { id: string; status: 'delivered' | 'dead' }): ReactNode {
  const { number } = useFormat();
  const read = useRead(
    'listWebhookDeliveries',
    { path: { id }, query: { status, limit: 1 } },
    { staleTime: COUNTS_MS },
  );
  const count = read.data?.total_count;
  if (count === undefined) return <span className="soft">…</span>;
  return <span className={status === 'dead' && count > 0 ? 'webhooks-bad' : undefined}>{number(count)}</span>;
}
