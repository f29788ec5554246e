import { notifyAfterCommit } from '../../../platform/background/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import {
  type BulkOutcome,
  createBulkTally,
  errorsInWords,
  itemName,
  nameOr,
} from '../../../platform/http/bulk-tally.ts';
import { declaredFieldsOf } from '../../../platform/http/declared-fields.ts';
import { tooLarge } from '../../../platform/http/problem.ts';
import { compileItemValidator, type FieldErrors } from '../../../platform/http/validation.ts';
import { isId } from '../../../platform/ids.ts';
import type { Ordering, OrderOwner } from '../ordering.ts';
import { type Prepared, prepareOrders } from '../place/prepare-orders.ts';
import { writeOrders } from '../place/write-orders.ts';
import { DUPLICATE_TRANSACTION, ORDER_NOT_FOUND, refusalInShort } from '../refusals.ts';
import { OrderBody, type OrderInput, StatusUpdate } from '../schema.ts';
import { lockOrders } from '../sql/change-orders.ts';
import { withStatus } from '../status/advance-order.ts';
import type { Moving } from '../status/move-at-vendor.ts';
import { type OrderMove, removeOrders, saveChanges } from '../update/save-changes.ts';
import { moveVendorOrders } from './move-vendor-orders.ts';

export const MAX_BULK_ORDERS = 100;

const checkOrder = compileItemValidator(OrderBody);
const checkUpdate = compileItemValidator(StatusUpdate);
const updateOf = declaredFieldsOf(StatusUpdate);

export function refuseTooMany(items: unknown[]): void {
  if (items.length > MAX_BULK_ORDERS) throw tooLarge({ orders: `at most ${MAX_BULK_ORDERS} a request` });
}

export function bulkAnswer(clock: Clock, outcome: BulkOutcome) {
  return { success: true, data: outcome, timestamp: clock.now().toISOString() };
}

/** The items of a call in their order, each with the key under which the answer reports it. */
export type PreparedBatch = { name: string; prepared: Prepared | { fault: string } }[];

/** Faults found before, by the index of the item. */
type KnownFaults = ReadonlyMap<number, string>;
const NONE: KnownFaults = new Map();

/** Reads the branches and channels of the orders. Call it outside a transaction. */
export async function prepareBatch(
  ordering: Ordering,
  owner: OrderOwner,
  items: unknown[],
  known: KnownFaults = NONE,
): Promise<PreparedBatch> {
  const faults = items.map((item, index) => known.get(index) ?? faultText(checkOrder(item)));
  const valid = items.filter((_item, index) => faults[index] === undefined) as OrderInput[];
  const results = (await prepareOrders(ordering, owner, valid)).values();
  return items.map((item, index) => {
    const name = itemName(item, 'source_transaction_id', index);
    const fault = faults[index];
    const prepared = fault === undefined ? results.next().value : { fault };
    if (prepared === undefined) throw new Error('prepareOrders returned too few results');
    return { name, prepared };
  });
}

function faultText(faults: FieldErrors | undefined): string | undefined {
  return faults && errorsInWords(faults);
}

export async function placeBatch(tx: Tx, { clock }: Ordering, batch: PreparedBatch): Promise<BulkOutcome> {
  const tally = createBulkTally();
  const ready = batch.flatMap(({ prepared }) => ('ready' in prepared ? [prepared.ready] : []));
  const placed = ready.length === 0 ? new Set<string>() : await writeOrders(tx, clock, ready);
  for (const { name, prepared } of batch) {
    if ('fault' in prepared) tally.fail(name, prepared.fault);
    else if ('refusal' in prepared) tally.fail(name, errorsInWords(prepared.refusal.details as FieldErrors));
    else if (!placed.has(prepared.ready.order.id)) tally.fail(name, DUPLICATE_TRANSACTION);
  }
  return tally.outcome(batch.length);
}

/** The faults of the updates themselves and the known ones, before any status is sent to a vendor. */
function faultsOfUpdates(items: readonly unknown[], known: KnownFaults): KnownFaults {
  const wrong = items.flatMap((item, index): [number, string][] => {
    const fault = known.get(index) ?? faultText(checkUpdate(item));
    return fault === undefined ? [] : [[index, fault]];
  });
  return new Map(wrong);
}

/**
 * Several updates of one order apply in sequence, as if they had been sent one by one. Vendors' orders are changed at the vendor
 * first, each in its own transaction; the others are one transaction.
 */
export async function advanceOrders(
  moving: Moving,
  owner: OrderOwner,
  items: unknown[],
  known: KnownFaults = NONE,
): Promise<BulkOutcome> {
  const { ordering } = moving;
  const faults = faultsOfUpdates(items, known);
  const valid = items.flatMap((item, index) => (faults.has(index) ? [] : [[index, updateOf(item)] as const]));
  const moved = await moveVendorOrders(moving, owner, new Map(valid));
  const wrong = new Map([...faults, ...moved.faults]);
  return notifyAfterCommit(ordering.outbox, () =>
    inTransaction(ordering.sql, (tx) => advanceOrdersIn(tx, ordering, owner, items, wrong, moved.done)),
  );
}

export async function advanceOrdersIn(
  tx: Tx,
  ordering: Ordering,
  owner: OrderOwner,
  items: unknown[],
  known: KnownFaults = NONE,
  done: ReadonlySet<number> = new Set(),
): Promise<BulkOutcome> {
  const tally = createBulkTally();
  const updates = items.flatMap((item, index) => {
    if (done.has(index)) return [];
    const name = itemName(item, 'id', index);
    const wrong = known.get(index) ?? faultText(checkUpdate(item));
    if (wrong !== undefined) tally.fail(name, wrong);
    else if (!isId(name)) tally.fail(name, ORDER_NOT_FOUND);
    else return [{ ...updateOf(item), id: name.toLowerCase() }];
    return [];
  });
  const ids = [...new Set(updates.map(({ id }) => id))];
  const before = await lockOrders(tx, owner.organizationId, ids, owner.branchId);
  const moves = new Map<string, OrderMove>(before.map((order) => [order.id, { before: order, after: order }]));
  const now = ordering.clock.now();
  for (const { id, ...change } of updates) {
    const move = moves.get(id);
    const moved = move && withStatus(move.after, change, now);
    if (moved === undefined) tally.fail(id, ORDER_NOT_FOUND);
    else if ('refusal' in moved) tally.fail(id, refusalInShort(moved.refusal));
    else if (move !== undefined) move.after = moved.after;
  }
  await saveChanges(tx, ordering, [...moves.values()]);
  return tally.outcome(items.length);
}

export function deleteOrders(ordering: Ordering, owner: OrderOwner, items: unknown[]): Promise<BulkOutcome> {
  return notifyAfterCommit(ordering.outbox, () =>
    inTransaction(ordering.sql, async (tx) => {
      const tally = createBulkTally();
      const ids = [...new Set(items.filter(isId).map((id) => id.toLowerCase()))];
      const orders = await lockOrders(tx, owner.organizationId, ids, owner.branchId);
      const found = new Set(orders.map((order) => order.id));
      for (const [index, item] of items.entries()) {
        const name = nameOr(item, index);
        if (!found.delete(name.toLowerCase())) tally.fail(name, ORDER_NOT_FOUND);
      }
      await removeOrders(tx, ordering.clock, owner.organizationId, orders);
      return tally.outcome(items.length);
    }),
  );
}
