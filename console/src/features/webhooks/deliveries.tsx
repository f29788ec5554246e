import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Badge, Button, Card, type Column, DataTable, EmptyState, Loaded, Pager, Segments } from '../../ui/index.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { deliveryState, deliveryTone } from './health.ts';
import { DELIVERIES_PER_PAGE, DELIVERY_STATUSES, type DeliverySearch } from './webhook-search.ts';
import { webhooksWords } from './words.ts';

const route = getRouteApi('/in/webhooks/$id');
const AGAIN_MS = 4_000;
type Delivery = Schemas['Delivery'];

/** The log, newest first, and the one that is open beside it. */
export function Deliveries({ id }: { id: string }): ReactNode {
  const t = useWords(webhooksWords);
  const common = useWords(commonWords);
  const { status, page = 1, delivery } = route.useSearch();
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const query = { page, limit: DELIVERIES_PER_PAGE, ...(status && { status }) };
  const deliveries = useRead(
    'listWebhookDeliveries',
    { path: { id }, query },
    { keepPrevious: true, refetchInterval: AGAIN_MS },
  );
  const show = (search: DeliverySearch) => void navigate({ search, replace: true });
  const filter = status === undefined ? {} : { status };
  return (
    <Card title={t('deliveries')} flush>
      <div className="webhooks-filters">
        <Segments
          label={t('column.status')}
          value={status ?? 'all'}
          onChange={(value) => show(value === 'all' ? {} : { status: value })}
          options={[
            { value: 'all' as const, text: common('all') },
            ...DELIVERY_STATUSES.map((value) => ({ value, text: t(`status.${value}`) })),
          ]}
        />
      </div>
      <Loaded of={deliveries} rows={8}>
        {(answer) =>
          answer.data.length === 0 ? (
            <EmptyState
              icon="webhooks"
              title={status === undefined ? t('noDeliveries') : t('noSuchDeliveries')}
              hint={status === undefined ? t('noDeliveriesHint') : undefined}
              action={status !== undefined && <Button onPress={() => show({})}>{common('clearFilters')}</Button>}
            />
          ) : (
            <>
              <DeliveryTable rows={answer.data} onOpen={(row) => show({ ...filter, page, delivery: row.id })} />
              <div className="webhooks-pager">
                <Pager
                  page={answer.page}
                  perPage={DELIVERIES_PER_PAGE}
                  total={answer.total_count}
                  onPage={(next) => show({ ...filter, ...(next > 1 && { page: next }) })}
                />
              </div>
            </>
          )
        }
      </Loaded>
      {delivery !== undefined && (
        <DeliveryPanel
          subscriptionId={id}
          id={delivery}
          onClose={() => show({ ...filter, ...(page > 1 && { page }) })}
        />
      )}
    </Card>
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
