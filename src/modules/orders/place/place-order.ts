import { notifyAfterCommit } from '../../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import type { Order, ReadyOrder } from '../order.ts';
import type { Ordering, OrderOwner } from '../ordering.ts';
import { duplicateTransaction } from '../refusals.ts';
import type { OrderInput } from '../schema.ts';
import { type Prepared, prepareOrder } from './prepare-orders.ts';
import { writeOrders } from './write-orders.ts';

/** On its own, sharing a statement with whatever else is being placed in this moment. */
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

/** In a transaction of its own: for a job, whose caller was told that it will be done and whom no full queue may turn away. */
export async function placeAlone(ordering: Ordering, owner: OrderOwner, input: OrderInput, id: string): Promise<Order> {
  const prepared = await prepareOrder(ordering, owner, input, id);
  return notifyAfterCommit(ordering.outbox, () =>
    inTransaction(ordering.sql, (tx) => placePrepared(tx, ordering, prepared)),
  );
}

/** Inside a transaction of the caller's, who prepared the order before it began and rings once it has committed. */
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
