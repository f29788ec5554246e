import type { OrderEvent, Schemas } from '@dukkan/sdk';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useChannelName, useFormat, useWords } from '../../../i18n/index.ts';
import { useLive } from '../../../platform/index.ts';
import { Card, EmptyState, Loaded } from '../../../ui/index.ts';
import { useOrderStatus } from '../../../ui/order-status.ts';
import { type Sections, useSection } from '../dashboard.ts';
import type { Range } from '../ranges.ts';
import { homeMoreWords } from './words.ts';

type Item = Omit<Sections['activity'][number], 'status_from' | 'payment_status'>;
const ROWS = 10;
/** Events come in the order in which they were stored; the latest of them by their own time are shown. */
const KEPT = 50;

/** The latest events, updated live. */
export function Activity({ range }: { range: Range }): ReactNode {
  const t = useWords(homeMoreWords);
  const activity = useSection('activity', range);
  const [fresh, setFresh] = useState<readonly Item[]>([]);
  useLive((event) => setFresh((before) => [itemOf(event), ...before].slice(0, KEPT)));
  return (
    <Card
      title={t('activity')}
      tools={
        <Link to="/orders" className="small">
          {t('seeOrders')}
        </Link>
      }
    >
      <Loaded of={activity} rows={6}>
        {(rows) => {
          const known = new Set(fresh.map(({ id }) => id));
          const shown = [...fresh, ...(rows ?? []).filter(({ id }) => !known.has(id))]
            .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
            .slice(0, ROWS);
          if (shown.length === 0) return <EmptyState icon="clock" title={t('noActivity')} />;
          return (
            <ul className="home-activity" aria-label={t('activity')}>
              {shown.map((item) => (
                <OneItem key={item.id} item={item} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

function OneItem({ item }: { item: Item }): ReactNode {
  const t = useWords(homeMoreWords);
  const statusOf = useOrderStatus();
  const channel = useChannelName();
  const { money, relative } = useFormat();
  const values = {
    code: item.order_code ?? '',
    status: statusOf(item.status as Schemas['OrderStatus'], item.app_slug),
  };
  return (
    <li>
      <Link to="/orders/$id" params={{ id: item.order_id }}>
        {t(`event.${item.type as Schemas['EventType']}`, values)}
      </Link>
      <span className="soft small">
        <bdi>{channel(item.app_slug)}</bdi> · <bdi>{money(item.total, item.currency)}</bdi> · {relative(item.at)}
      </span>
    </li>
  );
}

function itemOf({ id, type, occurred_at, order_id, status_to, order }: OrderEvent): Item {
  return {
    id,
    type,
    at: occurred_at,
    order_id,
    order_code: order.external.code,
    app_slug: order.channel.app_slug,
    branch_name: order.branch.name,
    status: status_to,
    total: order.amounts.total,
    currency: order.amounts.currency,
  };
}
