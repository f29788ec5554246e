import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Badge, type Column, DataTable, Segments } from '../../ui/index.ts';
import { extentOfData, ListCard, useListSearch } from '../../ui/list/index.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { deliveryState, deliveryTone } from './health.ts';
import { DELIVERIES_PER_PAGE, DELIVERY_STATUSES } from './webhook-search.ts';
import { webhooksWords } from './words.ts';

const route = getRouteApi('/in/webhooks/$id');
const REFETCH_MS = 4_000;
type Delivery = Schemas['Delivery'];

/** The delivery log, newest first, with the open delivery in a panel. */
export function Deliveries({ id }: { id: string }): ReactNode {
  const t = useWords(webhooksWords);
  const common = useWords(commonWords);
  const search = route.useSearch();
  const { status, delivery } = search;
  const list = useListSearch(search, useNavigate({ from: '/webhooks/$id' }), { panel: 'delivery' });
  const query = { page: list.page, limit: DELIVERIES_PER_PAGE, ...(status && { status }) };
  const deliveries = useRead(
    'listWebhookDeliveries',
    { path: { id }, query },
    { keepPrevious: true, refetchInterval: REFETCH_MS },
  );
  return (
    <>
      <ListCard
        title={t('deliveries')}
        answer={deliveries}
        extentOf={extentOfData}
        pager={{ page: list.page, perPage: DELIVERIES_PER_PAGE, onPage: list.turnTo }}
        isFiltered={list.isFiltered}
        onClear={list.clear}
        empty={{ icon: 'webhooks', title: t('noDeliveries'), hint: t('noDeliveriesHint') }}
        noMatch={{ title: t('noSuchDeliveries') }}
        notice={
          <div className="webhooks-filters">
            <Segments
              label={t('column.status')}
              value={status ?? 'all'}
              onChange={(value) => list.filter({ status: value === 'all' ? undefined : value })}
              options={[
                { value: 'all' as const, text: common('all') },
                ...DELIVERY_STATUSES.map((value) => ({ value, text: t(`status.${value}`) })),
              ]}
            />
          </div>
        }
      >
        {({ data }) => <DeliveryTable rows={data} onOpen={(row) => list.showPanel(row.id)} />}
      </ListCard>
      {delivery !== undefined && (
        <DeliveryPanel subscriptionId={id} id={delivery} onClose={() => list.showPanel(undefined)} />
      )}
    </>
  );
}

function DeliveryTable({ rows, onOpen }: { rows: readonly Delivery[]; onOpen(row: Delivery): void }): ReactNode {
  const t = useWords(webhooksWords);
  const { number, when, dateTime, relative } = useFormat();
  const columns: Column<Delivery>[] = [
    {
      id: 'event',
      title: t('column.event'),
      width: 'minmax(150px, 1.6fr)',
      render: ({ event_type, event_id }) => (
        <span className="ui-cell-two">
          <span className="ltr strong clip">{event_type}</span>
          <span className="ltr soft small clip">{event_id}</span>
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '108px',
      render: (row) => <Badge tone={deliveryTone(deliveryState(row))}>{t(`status.${deliveryState(row)}`)}</Badge>,
    },
    {
      id: 'answer',
      title: t('column.answer'),
      width: 'minmax(96px, 1.2fr)',
      from: 'medium',
      render: ({ last_status_code, last_error, status, next_attempt_at, attempts }) => (
        <span className="ui-cell-two">
          <span className="ltr clip">{last_error || (last_status_code ?? '—')}</span>
          {status === 'pending' && attempts > 0 && next_attempt_at !== null && (
            <span className="soft small clip">{t('nextAttempt', { when: relative(next_attempt_at) })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'attempts',
      title: t('column.attempts'),
      width: '72px',
      end: true,
      from: 'wide',
      render: ({ attempts }) => number(attempts),
    },
    {
      id: 'created',
      title: t('column.time'),
      width: '104px',
      end: true,
      from: 'medium',
      render: ({ created }) => (
        <time dateTime={created} title={dateTime(created)} className="soft">
          {when(created)}
        </time>
      ),
    },
  ];
  return <DataTable label={t('deliveries')} columns={columns} rows={rows} keyOf={({ id }) => id} onOpen={onOpen} />;
}
