import { notifyAfterCommit } from '../../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import type { Order, ReadyOrder } from '../order.ts';
import type { Ordering, OrderOwner } from '../ordering.ts';
import { duplicateTransaction } from '../refusals.ts';
import type { OrderInput } from '../schema.ts';
import { type Prepared, prepareOrder } from './prepare-orders.ts';
import { writeOrders } from './write-orders.ts';

/** Without a transaction: shares one statement with other orders that are placed at the same time. */
export async function placeOrder(
  ordering: Ordering,
  owner: OrderOwner,
  input: OrderInput,
  id?: string,
): Promise<Order> {
  const ready = getReady(await prepareOrder(ordering, owner, input, id));
  const isPlaced = await notifyAfterCommit(ordering.outbox, () => ordering.insertBatched(ready));
  if (!isPlaced) throw duplicateTransaction(ready.order.source_transaction_id);
  return ready.order;
}

/** In its own transaction: for a job, which was accepted already and must not be rejected by a full queue. */
export async function placeAlone(ordering: Ordering, owner: OrderOwner, input: OrderInput, id: string): Promise<Order> {
  const prepared = await prepareOrder(ordering, owner, input, id);
  return notifyAfterCommit(ordering.outbox, () =>
    inTransaction(ordering.sql, (tx) => placePrepared(tx, ordering, prepared)),
  );
}

/** Inside the caller's transaction. The caller prepares the order before it begins and notifies the outbox after commit. */
export async function placePrepared(tx: Tx, { clock }: Ordering, prepared: Prepared): Promise<Order> {
  const ready = getReady(prepared);
  const placed = await writeOrders(tx, clock, [ready]);
  if (!placed.has(ready.order.id)) throw duplicateTransaction(ready.order.source_transaction_id);
  return ready.order;
}

export function getReady(prepared: Prepared): ReadyOrder {
  if ('refusal' in prepared) throw prepared.refusal;
  return prepared.ready;
}
