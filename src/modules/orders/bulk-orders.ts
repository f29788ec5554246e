import type { Clock } from '../../platform/clock.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { Problem, tooLarge } from '../../platform/http/problem.ts';
import { compileItemValidator, type FieldErrors } from '../../platform/http/validation.ts';
import { isId } from '../../platform/ids.ts';
import { INVALID_TRANSITION, ORDER_NOT_FOUND, withStatus } from './advance-order.ts';
import { type OrderMove, removeOrders, saveChanges } from './change-orders.ts';
import type { Order } from './order.ts';
import { insertAll, type Ordering, type OrderOwner, prepareOrder } from './place-order.ts';
import { OrderBody, type OrderInput, type StatusInput, StatusUpdate } from './schema.ts';
import { lockOrders } from './sql/change-orders.ts';

export const MAX_BULK_ORDERS = 100;

export type BulkOutcome = { succeeded: number; failed: number; errors: Record<string, string> };

const checkOrder = compileItemValidator(OrderBody);
const checkUpdate = compileItemValidator(StatusUpdate);

export function refuseTooMany(items: unknown[]): void {
  if (items.length > MAX_BULK_ORDERS) throw tooLarge({ orders: `at most ${MAX_BULK_ORDERS} a request` });
}

export function bulkAnswer(clock: Clock, outcome: BulkOutcome) {
  return { success: true, data: outcome, timestamp: clock.now().toISOString() };
}

/** Errors keyed by what the caller can find the item again by; a key that repeats gets its index added. */
function createTally() {
  const errors: Record<string, string> = {};
  let succeeded = 0;
  let failed = 0;
  return {
    succeed(count = 1) {
      succeeded += count;
    },
    fail(key: string, index: number, message: string) {
      failed += 1;
      errors[key in errors ? `${key} #${index}` : key] = message;
    },
    outcome: (): BulkOutcome => ({ succeeded, failed, errors }),
  };
}

function describe(errors: FieldErrors): string {
  return Object.entries(errors)
    .map(([field, message]) => `${field} ${message}`)
    .join('; ');
}

export async function createOrders(
  tx: Tx,
  ordering: Ordering,
  owner: OrderOwner,
  items: unknown[],
): Promise<BulkOutcome> {
  const tally = createTally();
  const prepared: { order: Order; key: string; index: number }[] = [];
  await Promise.all(
    items.map(async (item, index) => {
      const key = keyOf(item, index);
      const wrong = checkOrder(item);
      if (wrong) return tally.fail(key, index, describe(wrong));
      try {
        prepared.push({ order: await prepareOrder(ordering, owner, item as OrderInput), key, index });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        tally.fail(key, index, describe(error.details as FieldErrors));
      }
    }),
  );
  prepared.sort((one, other) => one.index - other.index);
  if (prepared.length === 0) return tally.outcome();
  const placed = await insertAll(
    tx,
    ordering.clock,
    prepared.map(({ order }) => order),
  );
  for (const { order, key, index } of prepared) {
    if (placed.has(order.id)) tally.succeed();
    else tally.fail(key, index, 'Duplicate source transaction ID');
  }
  return tally.outcome();
}

function keyOf(item: unknown, index: number): string {
  if (typeof item !== 'object' || item === null || !('source_transaction_id' in item)) return `#${index}`;
  const { source_transaction_id: key } = item;
  return typeof key === 'string' && key !== '' ? key : `#${index}`;
}

/** Several updates of one order apply one after the other, as if they had come alone. */
export async function advanceOrders(ordering: Ordering, owner: OrderOwner, items: unknown[]): Promise<BulkOutcome> {
  const outcome = await inTransaction(ordering.sql, (tx) => advanceOrdersIn(tx, ordering, owner, items));
  ordering.outbox.ring();
  return outcome;
}

export async function advanceOrdersIn(
  tx: Tx,
  { clock }: Ordering,
  owner: OrderOwner,
  items: unknown[],
): Promise<BulkOutcome> {
  const tally = createTally();
  const updates: { id: string; index: number; change: StatusInput }[] = [];
  for (const [index, item] of items.entries()) {
    const id = idOf(item);
    const wrong = checkUpdate(item);
    if (wrong) tally.fail(id ?? `#${index}`, index, describe(wrong));
    else if (!isId(id)) tally.fail(id ?? `#${index}`, index, ORDER_NOT_FOUND);
    else updates.push({ id: id.toLowerCase(), index, change: item as StatusInput });
  }
  const ids = [...new Set(updates.map((update) => update.id))];
  const before = await lockOrders(tx, owner.organizationId, ids, owner.branchId);
  const moves = new Map<string, OrderMove>(before.map((order) => [order.id, { before: order, after: order }]));
  const now = clock.now();
  for (const { id, index, change } of updates) {
    const move = moves.get(id);
    const after = move && withStatus(move.after, change, now);
    if (move === undefined || after === undefined) {
      tally.fail(id, index, move === undefined ? ORDER_NOT_FOUND : INVALID_TRANSITION);
      continue;
    }
    move.after = after;
    tally.succeed();
  }
  await saveChanges(tx, clock, [...moves.values()]);
  return tally.outcome();
}

export async function deleteOrders(ordering: Ordering, owner: OrderOwner, items: unknown[]): Promise<BulkOutcome> {
  const tally = createTally();
  const { sql, clock } = ordering;
  await inTransaction(sql, async (tx) => {
    const ids = [...new Set(items.filter(isId).map((id) => id.toLowerCase()))];
    const orders = await lockOrders(tx, owner.organizationId, ids, owner.branchId);
    const found = new Set(orders.map((order) => order.id));
    for (const [index, item] of items.entries()) {
      const key = typeof item === 'string' && item !== '' ? item : `#${index}`;
      if (found.delete(key.toLowerCase())) tally.succeed();
      else tally.fail(key, index, ORDER_NOT_FOUND);
    }
    await removeOrders(tx, clock, owner.organizationId, orders);
  });
  ordering.outbox.ring();
  return tally.outcome();
}

function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
  return typeof item.id === 'string' && item.id !== '' ? item.id : undefined;
}
