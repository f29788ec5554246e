import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { FigureStrip } from '../../ui/figure-strip.tsx';
import { Badge, Card, Facts, Loaded, Notice, Page } from '../../ui/index.ts';
import { Deliveries } from './deliveries.tsx';
import { healthOf, healthTone, type Subscription } from './health.ts';
import { SubscriptionActs } from './subscription-acts.tsx';
import { VerifySamples } from './verify-samples.tsx';
import './webhooks.css';
import { webhooksWords } from './words.ts';

const route = getRouteApi('/in/webhooks/$id');
const AGAIN_MS = 5_000;

export function WebhookPage(): ReactNode {
  const t = useWords(webhooksWords);
  const { id } = route.useParams();
  const subscription = useRead('getWebhookSubscription', { path: { id } }, { refetchInterval: AGAIN_MS });
  return (
    <Loaded of={subscription} rows={8} back={<BackLink to="/webhooks">{t('back')}</BackLink>}>
      {(row) => <OneSubscription row={row} />}
    </Loaded>
  );
}

function OneSubscription({ row }: { row: Subscription }): ReactNode {
  const t = useWords(webhooksWords);
  const may = useMay();
  const { dateTime, hijri } = useFormat();
  const health = healthOf(row);
  return (
    <Page
      title={
        <span className="webhooks-title">
          <span className="ltr">{hostOf(row.url)}</span>
          <Badge tone={healthTone(health)}>{t(`health.${health}`)}</Badge>
        </span>
      }
      name={hostOf(row.url)}
      note={<BackLink to="/webhooks">{t('back')}</BackLink>}
      tools={may('update:Webhooks') && <SubscriptionActs row={row} />}
    >
      {row.status === 'disabled' && (
        <Notice tone="bad">
          <strong>{t('disabledTitle')}</strong> {row.disabled_reason !== '' && <bdi>{row.disabled_reason}.</bdi>}{' '}
          {t('disabledHint')}
        </Notice>
      )}
      {row.status === 'paused' && <Notice tone="warn">{t('pausedHint')}</Notice>}
      {row.rotating && <Notice>{t('rotatingHint')}</Notice>}
      <Glance row={row} />
      <div className="webhooks-columns">
        <Deliveries id={row.id} />
        <div className="webhooks-column">
          <Card title={t('about')}>
            <Facts
              facts={[
                [
                  t('url'),
                  <span key="url" className="ltr">
                    {row.url}
                  </span>,
                ],
                row.description === '' ? undefined : [t('description'), <bdi key="description">{row.description}</bdi>],
                [t('column.events'), <Events key="events" types={row.event_types} />],
                [
                  t('secret'),
                  <span key="secret" className="ltr">
                    whsec_…{row.secret_hint}
                  </span>,
                ],
                [t('created'), dateTime(row.created)],
                [t('hijri'), hijri(row.created)],
              ]}
            />
          </Card>
          <Card>
            <details className="webhooks-details">
              <summary>{t('verify')}</summary>
              <p className="soft small">{t('verifyHint')}</p>
              <VerifySamples />
            </details>
          </Card>
        </div>
      </div>
    </Page>
  );
}

function Events({ types }: { types: readonly string[] }): ReactNode {
  const t = useWords(webhooksWords);
  if (types.length === 0) return <Link to="/webhooks/events">{t('allEvents')}</Link>;
  return (
    <ul>
      {types.map((type) => (
        <li key={type}>
          <Link to="/webhooks/events" search={{ type }} className="ltr">
            {type}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Glance({ row }: { row: Subscription }): ReactNode {
  const t = useWords(webhooksWords);
  const { number, when } = useFormat();
  const delivered = useCount(row.id, 'delivered');
  const pending = useCount(row.id, 'pending');
  const dead = useCount(row.id, 'dead');
  const figure = (count: number | undefined) => (count === undefined ? undefined : number(count));
  const moment = (at: string) => (at === '' ? t('never') : when(at));
  return (
    <FigureStrip
      label={t('glance')}
      figures={[
        { name: t('status.delivered'), value: figure(delivered) },
        { name: t('status.pending'), value: figure(pending) },
        { name: t('status.dead'), value: figure(dead), tone: dead !== undefined && dead > 0 ? 'bad' : undefined },
        { name: t('lastSuccess'), value: moment(row.last_success_at) },
        { name: t('lastFailure'), value: moment(row.last_failure_at) },
      ]}
    />
  );
}

function useCount(id: string, status: 'delivered' | 'pending' | 'dead'): number | undefined {
  const read = useRead(
    'listWebhookDeliveries',
    { path: { id }, query: { status, limit: 1 } },
    { refetchInterval: AGAIN_MS },
  );
  return read.data?.total_count;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
