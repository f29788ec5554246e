import type { OrderEvent } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { orderWords, useFormat, useWords } from '../../i18n/index.ts';
import { wordField } from '../../i18n/refusals/index.ts';
import { useRead } from '../../platform/index.ts';
import { Card, EmptyState, Loaded } from '../../ui/index.ts';
import { ordersWords } from './words.ts';

export function OrderTimeline({ id }: { id: string }): ReactNode {
  const t = useWords(ordersWords);
  const timeline = useRead('readOrderTimeline', { path: { id } });
  return (
    <Card title={t('timeline')} tools={<span className="soft small">{t('timelineNote')}</span>}>
      <Loaded of={timeline} rows={3}>
        {({ events }) =>
          events.length === 0 ? (
            <EmptyState icon="clock" title={t('noTimeline')} />
          ) : (
            <ol className="order-events">
              {events.toReversed().map((event) => (
                <OneEvent key={event.id} event={event} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}

function OneEvent({ event }: { event: OrderEvent }): ReactNode {
  const { dateTime } = useFormat();
  return (
    <li className="order-event">
      <div>{useEventInWords()(event)}</div>
      <time className="soft small" dateTime={event.occurred_at}>
        {dateTime(event.occurred_at)}
      </time>
    </li>
  );
}

function useEventInWords(): (event: OrderEvent) => string {
  const t = useWords(ordersWords);
  const status = useWords(orderWords);
  const { list, language } = useFormat();
  return ({ type, changed_fields, status_from, status_to }) => {
    switch (type) {
      case 'order.updated':
        return t(`event.${type}`, {
          fields: list([...new Set(changed_fields.map((field) => wordField(language, field) ?? t('otherFields')))]),
        });
      case 'order.status_changed':
        return t(`event.${type}`, {
          from: status_from === '' ? '—' : status(`status.${status_from}`),
          to: status(`status.${status_to}`),
        });
      default:
        return t(`event.${type}`);
    }
  };
}
