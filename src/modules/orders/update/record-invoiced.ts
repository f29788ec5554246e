import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { outboxEntry } from '../../events/index.ts';
import type { Order } from '../order.ts';
import { invoicingOf } from '../order-change.ts';
import { insertEvents } from '../sql/change-orders.ts';

/** In the transaction that issues the invoice. The caller has locked the order and notifies the outbox after commit. */
export async function recordInvoiced(tx: Tx, { clock }: { clock: Clock }, order: Order): Promise<void> {
  await insertEvents(tx, [outboxEntry(invoicingOf(order, clock.nowNanoseconds() / 1000n))]);
}
