import { createHash } from 'node:crypto';
import { canonicalStatus } from '../../../src/modules/orders/order-status.ts';
import type { Sql } from '../../../src/platform/database/index.ts';
import { type Delivery, storedStatus } from './deliveries.ts';

type StagedRow = {
  id: string;
  install: string;
  status: string;
  outcome: string;
  error_code: string | null;
  order_id: string | null;
  digest: string;
};
type OrderRow = {
  id: string;
  install: string;
  transaction: string;
  order_status: string;
  comment: string | null;
  total_amount: number;
};
type EventRow = { order_id: string; type: string; status_from: string; status_to: string };

export const FIRST_FAULT = 'refused';

/** Compares what vendors were answered with what was stored. */
export async function judge(sql: Sql, deliveries: readonly Delivery[]): Promise<Record<string, number>> {
  const staged = await sql<StagedRow[]>`
    select id, organization_app_id as install, status, outcome, error_code, order_id,
           encode(sha256(payload), 'hex') as digest
    from staged_payloads`;
  const orders = await sql<OrderRow[]>`
    select id, organization_app_id as install, source_transaction_id as transaction, order_status, comment, total_amount
    from orders`;
  const events = await sql<EventRow[]>`
    select order_id, type, body::json->>'status_from' as status_from, body::json->>'status_to' as status_to
    from order_events order by position`;
  const [state] = await sql<[{ queued: number; processed: number; failed: number; listed: number }]>`
    select (select count(*) from staging_queue) as queued,
           (select sum(processed)::bigint from staging_totals) as processed,
           (select sum(failed)::bigint from staging_totals) as failed,
           ((select coalesce(sum(total), 0) from order_counts where source <> '')
             + (select coalesce(sum(by), 0) from order_count_deltas))::bigint as listed`;

  const stagedById = new Map(staged.map((row) => [row.id, row]));
  const orderByKey = new Map(orders.map((row) => [`${row.install} ${row.transaction}`, row]));
  const accepted = deliveries.filter((delivery) => delivery.accepted > 0);
  const rowOf = (delivery: Delivery) => stagedById.get([...delivery.stagingIds][0] ?? '');
  const orderOf = (delivery: Delivery) => orderByKey.get(`${delivery.install.id} ${delivery.orderId}`);
  const sent = new Set(deliveries.map((delivery) => keyOf(delivery.install.id, digestOf(delivery.body))));
  const readable = accepted.filter((delivery) => delivery.version !== undefined);
  const isSettled = (delivery: Delivery, status: string) => rowOf(delivery)?.status === status;
  const countOf = <Item>(items: readonly Item[], isOne: (item: Item) => boolean) => items.filter(isOne).length;

  return {
    'distinct deliveries': deliveries.length,
    'of them accepted': accepted.length,
    'abandoned, outcome unknown': countOf(deliveries, (delivery) => delivery.isAbandoned),
    'answers of 202': deliveries.reduce((sum, delivery) => sum + delivery.accepted, 0),
    'staging rows': staged.length,
    processed: countOf(staged, (row) => row.status === 'processed'),
    '- as created': countOf(staged, (row) => row.outcome === 'created'),
    '- as updated': countOf(staged, (row) => row.outcome === 'updated'),
    '- as unchanged': countOf(staged, (row) => row.outcome === 'unchanged'),
    failed: countOf(staged, (row) => row.status === 'failed'),
    orders: orders.length,
    events: events.length,
    // All of these must be nought.
    [FIRST_FAULT]: countOf(deliveries, (delivery) => delivery.refused > 0),
    'accepted, but not in staging': countOf(accepted, (delivery) => rowOf(delivery) === undefined),
    'one delivery called by two ids': countOf(accepted, ({ stagingIds }) => stagingIds.size > 1),
    'staged twice': staged.length - new Set(staged.map((row) => keyOf(row.install, row.digest))).size,
    'staged, but never sent': countOf(staged, (row) => !sent.has(keyOf(row.install, row.digest))),
    'staging rows still pending': countOf(staged, (row) => row.status === 'pending'),
    'still queued': state.queued,
    'readable, but not processed': countOf(readable, (delivery) => !isSettled(delivery, 'processed')),
    'unreadable, but not failed': countOf(
      accepted,
      (delivery) => delivery.version === undefined && !isSettled(delivery, 'failed'),
    ),
    'failed without a reason': countOf(staged, (row) => row.status === 'failed' && row.error_code === null),
    'failed for a reason of our own': countOf(staged, (row) => row.error_code === 'internal'),
    'processed without its order': countOf(readable, (delivery) => {
      const order = orderOf(delivery);
      return order === undefined || rowOf(delivery)?.order_id !== order.id;
    }),
    'orders stored twice': orders.length - orderByKey.size,
    'orders of no delivery': countUnheardOf(orderByKey, deliveries),
    'orders not at their newest version': countOutdated(deliveries, orderOf),
    'orders made by several payloads': countRepeated(staged.filter((row) => row.outcome === 'created')),
    ...judgeEvents(orders, events),
    'totals of processed off by': Math.abs(state.processed - countOf(staged, (row) => row.status === 'processed')),
    'totals of failed off by': Math.abs(state.failed - countOf(staged, (row) => row.status === 'failed')),
    'list total off by': Math.abs(state.listed - orders.length),
  };
}

function judgeEvents(orders: readonly OrderRow[], events: readonly EventRow[]): Record<string, number> {
  const storyOf = Map.groupBy(events, (event) => event.order_id);
  const known = new Set(orders.map((order) => order.id));
  const faults = {
    'orders without created event': 0,
    'orders with several created events': 0,
    'stories that do not begin with it': 0,
    'stories with a gap': 0,
    'last event has another status': 0,
  };
  for (const order of orders) {
    const story = storyOf.get(order.id) ?? [];
    const created = story.filter((event) => event.type === 'order.created').length;
    if (created === 0) faults['orders without created event'] += 1;
    if (created > 1) faults['orders with several created events'] += 1;
    if (story[0]?.type !== 'order.created') faults['stories that do not begin with it'] += 1;
    if (story.some((event, index) => index > 0 && event.status_from !== story[index - 1]?.status_to))
      faults['stories with a gap'] += 1;
    if (story.at(-1)?.status_to !== canonicalStatus(order.order_status)) faults['last event has another status'] += 1;
  }
  return { ...faults, 'events of no order': events.filter((event) => !known.has(event.order_id)).length };
}

/** The newest that was accepted; or a newer one that was abandoned, since it may have been accepted. */
function countOutdated(deliveries: readonly Delivery[], orderOf: (delivery: Delivery) => OrderRow | undefined): number {
  let outdated = 0;
  for (const sent of Map.groupBy(deliveries, (one) => `${one.install.id} ${one.orderId}`).values()) {
    const [first] = sent;
    const order = first && orderOf(first);
    if (order === undefined) continue;
    const newest = Math.max(0, ...sent.map((one) => (one.accepted > 0 ? (one.version?.number ?? 0) : 0)));
    const isUpToDate = sent.some(
      ({ install, version, accepted, isAbandoned }) =>
        version !== undefined &&
        (version.number === newest || (version.number > newest && accepted === 0 && isAbandoned)) &&
        order.comment === version.comment &&
        order.total_amount === version.total &&
        order.order_status === storedStatus(install, version),
    );
    if (!isUpToDate) outdated += 1;
  }
  return outdated;
}

function countUnheardOf(orderByKey: Map<string, OrderRow>, deliveries: readonly Delivery[]): number {
  const known = new Set(
    deliveries.filter((one) => one.version !== undefined).map((one) => `${one.install.id} ${one.orderId}`),
  );
  return [...orderByKey.keys()].filter((key) => !known.has(key)).length;
}

function countRepeated(rows: readonly StagedRow[]): number {
  return rows.length - new Set(rows.map((row) => row.order_id)).size;
}

const keyOf = (installId: string, digest: string) => `${installId} ${digest}`;

function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
