import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/database/index.ts';
import { outboxEntry } from '../../events/index.ts';
import type { ReadyOrder } from '../order.ts';
import { creationOf } from '../order-change.ts';
import { insertOrders } from '../sql/insert-orders.ts';

/** Returns the ids of the placed orders. The source transactions of the others exist already. */
export function writeOrders(
  sql: Queryable,
  clock: Clock,
  ready: ReadyOrder[],
  limits: { lockTimeoutMs?: number } = {},
): Promise<Set<string>> {
  const occurredAtUs = clock.nowNanoseconds() / 1000n;
  const entries = ready.map(({ order }) => outboxEntry(creationOf(order, occurredAtUs)));
  return insertOrders(sql, ready, entries, limits);
}
