import { Problem } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import type { Forwarded, ForwardStatus } from '../apps/index.ts';
import { withStatus } from './advance-order.ts';
import type { Order } from './order.ts';
import { type CanonicalStatus, canonicalStatus } from './order-status.ts';
import type { Ordering, OrderOwner } from './ordering.ts';
import { isTooLarge } from './prepare-orders.ts';
import type { StatusInput } from './schema.ts';
import { findOrders, findRawPayloads } from './sql/find-orders.ts';

/** The words by which vendors are told. */
const TOLD = {
  received: 'RECEIVED',
  ready_for_pickup: 'READY_FOR_PICKUP',
  dispatched: 'DISPATCHED',
  delivered: 'DELIVERED',
  cancelled: 'CANCELLED',
} as const satisfies Partial<Record<CanonicalStatus, string>>;

/** Of a whole bulk call; each install has a smaller bound of its own. */
const AT_THE_SAME_TIME = 32;

export type WantedMove = Pick<StatusInput, 'order_status' | 'payment_status' | 'notes'> & { id: string };

/**
 * Tells vendors of the moves of their own orders, before anything is written and with no connection held. Nothing for an order
 * that is ours alone, stays where it is, or may not move like that, which whoever writes it then says.
 */
export async function forwardMove(
  ordering: Ordering,
  forward: ForwardStatus,
  owner: OrderOwner,
  move: WantedMove,
): Promise<Forwarded | undefined> {
  const [forwarded] = await forwardMoves(ordering, forward, owner, [move]);
  if (forwarded instanceof Error) throw forwarded;
  return forwarded;
}

/** Side by side, answers in the order asked. What a vendor refuses is given back, not thrown: each move is answered for by itself. */
export async function forwardMoves(
  ordering: Ordering,
  forward: ForwardStatus,
  owner: OrderOwner,
  moves: readonly WantedMove[],
): Promise<(Forwarded | Problem | undefined)[]> {
  const wanted = moves.filter(({ id, order_status }) => isId(id) && order_status !== undefined);
  if (wanted.length === 0) return moves.map(() => undefined);
  const { organizationId, branchId } = owner;
  const keys = wanted.map(({ id }) => ({ organizationId, id: id.toLowerCase() }));
  const found = await findOrders(ordering.sql, keys);
  const owned = found.filter(
    ({ organization_app_id, destination_id }) =>
      organization_app_id !== '' && (branchId === null || destination_id === branchId),
  );
  if (owned.length === 0) return moves.map(() => undefined);
  const raws = await findRawPayloads(
    ordering.sql,
    organizationId,
    owned.map(({ id }) => id),
  );
  const rawById = new Map(raws.map(({ id, raw }) => [id, raw]));
  const orderById = new Map(owned.map((order) => [order.id, order]));
  const forwarded = new Map<WantedMove, Forwarded | Problem>();
  // Several moves of one order go one after the other, each from where the one before has left it.
  const waiting = Map.groupBy(wanted, ({ id }) => id.toLowerCase()).entries();
  async function forwardInTurn(): Promise<void> {
    for (const [id, steps] of waiting) {
      let order = orderById.get(id);
      for (const move of steps) {
        const moved = order && withStatus(order, move, ordering.clock.now());
        if (order === undefined || moved === undefined || 'refusal' in moved) continue;
        const { after } = moved;
        if (isMadeTooLarge(after, move)) continue;
        const pushed = toForward(order, move, rawById.get(id) ?? null);
        const outcome = pushed && (await forward(pushed).catch(toProblem));
        if (outcome !== undefined) forwarded.set(move, outcome);
        if (!(outcome instanceof Problem)) order = after;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_THE_SAME_TIME, wanted.length) }, forwardInTurn));
  return moves.map((move) => forwarded.get(move));
}

/**
 * Before a bulk call: the moves that a vendor refused join those that are wrong already, and are not written. The others come
 * back with what the vendor takes them to mean besides.
 */
export async function forwardBatch(
  ordering: Ordering,
  forward: ForwardStatus,
  owner: OrderOwner,
  updates: readonly unknown[],
  known: ReadonlyMap<number, string>,
): Promise<{ faults: ReadonlyMap<number, string>; updates: unknown[] }> {
  const moves = updates.map((update, index): WantedMove => {
    const { id, order_status, payment_status } = known.has(index) || !isObject(update) ? {} : update;
    return {
      id: typeof id === 'string' ? id : '',
      order_status: typeof order_status === 'string' && order_status.trim() !== '' ? order_status : undefined,
      // Checked already, like the rest of the update: see faultsOfUpdates.
      payment_status: payment_status as StatusInput['payment_status'],
    };
  });
  const forwarded = await forwardMoves(ordering, forward, owner, moves);
  const faults = new Map(known);
  const told = updates.map((update, index) => {
    const outcome = forwarded[index];
    if (outcome instanceof Problem) faults.set(index, inWords(outcome));
    else if (outcome !== undefined && isObject(update)) return withFulfillment(update, outcome);
    return update;
  });
  return { faults, updates: told };
}

/** The vendor will say so itself in a moment, which then is no news. What the caller says of it counts for more. */
export function withFulfillment<Change extends object>(change: Change, forwarded: Forwarded | undefined): Change {
  const { fulfillmentStatus } = forwarded ?? {};
  return fulfillmentStatus === undefined ? change : { fulfillment_status: fulfillmentStatus, ...change };
}

function inWords({ message, details }: Problem): string {
  const said = isObject(details) ? details.message : undefined;
  return typeof said === 'string' ? `${message}: ${said}` : message;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Which whoever writes it will refuse: the vendor must not be told before. */
function isMadeTooLarge(after: Order, { notes }: WantedMove): boolean {
  return Boolean(notes) && isTooLarge(JSON.stringify(after));
}

function toForward(order: Order, { order_status, notes }: WantedMove, raw: string | null) {
  const wanted = canonicalStatus(order_status ?? '');
  // Vendors' orders come as RECEIVED; that the shop has taken one is the next word of the same meaning (accepted, preparing).
  const isAccepted = wanted === 'received' && order.order_status === TOLD.received && order_status !== TOLD.received;
  const isNews = isAccepted || wanted !== canonicalStatus(order.order_status);
  const status = wanted in TOLD ? TOLD[wanted as keyof typeof TOLD] : undefined;
  if (!isNews || status === undefined || order.source_transaction_id === null) return undefined;
  return {
    organizationId: order.organization_id,
    installId: order.organization_app_id,
    id: order.id,
    transactionId: order.source_transaction_id,
    status,
    note: notes ?? undefined,
    fulfillmentMethod: order.fulfillment_method,
    storeId: order.destination_reference,
    raw,
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
