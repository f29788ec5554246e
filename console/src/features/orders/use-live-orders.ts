import type { Answer, Schemas } from '@dukkan/sdk';
import { useEffect, useState } from 'react';
import { useLive } from '../../platform/index.ts';
import type { OrdersSearch } from './order-search.ts';

type Order = Schemas['CanonicalOrder'];
type Page = Answer<'listOrders', 'canonical'>;

/**
 * The rows of a page with live changes. Changes show in their row at once; new orders are only counted, because inserting a row
 * would move the others under the pointer.
 */
export function useLiveOrders(page: Page | undefined, search: OrdersSearch) {
  const [changed, setChanged] = useState<ReadonlyMap<string, Order>>(new Map());
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was read again includes what was counted
  useEffect(() => {
    setChanged(new Map());
    setArrived(new Set());
  }, [page]);
  useLive((event) => {
    if (page?.orders.some(({ id }) => id === event.order_id) === true) {
      setChanged((before) => new Map(before).set(event.order_id, event.order));
    } else if (event.type === 'order.created' && belongs(event.order, search)) {
      setArrived((before) => new Set(before).add(event.order_id));
    }
  });
  const rows = (page?.orders ?? []).map((order) => changed.get(order.id) ?? order);
  return { rows, arrived: arrived.size, isChanged: (id: string) => changed.has(id) };
}

/** Whether an order belongs on the first page of newest orders. Text searches cannot be decided here: only the service can search. A new order has no tags. */
function belongs(order: Order, filters: OrdersSearch): boolean {
  const { state, status, search, source, channel, branch, payment, tag, min, max, from, to, sort, page } = filters;
  if (page !== undefined || search !== undefined || tag !== undefined || from !== undefined || to !== undefined)
    return false;
  if (sort !== undefined && sort !== '-created') return false;
  const isOpen = order.status !== 'delivered' && order.status !== 'cancelled';
  if (state === 'late' || (state === 'open' && !isOpen)) return false;
  const { total } = order.amounts;
  return (
    (status === undefined || status === order.status_raw) &&
    (source === undefined || source === order.channel.source) &&
    (channel === undefined || channel === order.channel.app_slug) &&
    (branch === undefined || branch === order.branch.id) &&
    (payment === undefined || payment === order.payment.status) &&
    (min === undefined || total >= min) &&
    (max === undefined || total <= max)
  );
}
