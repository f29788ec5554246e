import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { outboxEntry } from '../../events/index.ts';
import type { Order } from '../order.ts';
import { invoicingOf } from '../order-change.ts';
import { insertEvents } from '../sql/change-orders.ts';

/** In the transaction that issues the invoice, whose writer holds the order and rings once it has committed. */
export async function recordInvoiced(tx: Tx, { clock }: { clock: Clock }, order: Order): Promise<void> {
  await insertEvents(tx, [outboxEntry(invoicingOf(order, clock.nowNanoseconds() / 1000n))]);
}
