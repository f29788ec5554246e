import { notifyAfterCommit } from '../../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { isId } from '../../../platform/ids.ts';
import {
  abandonOperation,
  beginOperation,
  type Operation,
  OperationUnderWay,
  refuseUnderWay,
  settleOperation,
  untilFree,
} from '../../../platform/operations/index.ts';
import type { Forwarded, ForwardedOrder, ForwardStatus } from '../../apps/index.ts';
import type { Order } from '../order.ts';
import { type CanonicalStatus, canonicalStatus } from '../order-status.ts';
import type { Ordering, OrderOwner } from '../ordering.ts';
import { refuseTooLarge } from '../place/prepare-orders.ts';
import { orderBusy, orderNotFound } from '../refusals.ts';
import type { StatusInput } from '../schema.ts';
import { lockOrders } from '../sql/change-orders.ts';
import { findOrders, findRawPayloads } from '../sql/find-orders.ts';
import { saveChanges } from '../update/save-changes.ts';
import { advanceOrder, withStatus } from './advance-order.ts';

/** The statuses that vendors' channels accept. */
const FORWARDED = {
  received: 'RECEIVED',
  ready_for_pickup: 'READY_FOR_PICKUP',
  dispatched: 'DISPATCHED',
  delivered: 'DELIVERED',
  cancelled: 'CANCELLED',
} as const satisfies Partial<Record<CanonicalStatus, string>>;

export const STATUS_PUSH = 'order_status';
/** Longer than the calls of a push (10 s) and the write after them. */
export const PUSH_LEASE_MS = 30_000;
/** Time after a push with an unknown outcome until the first query to the vendor. */
const ASK_AFTER_MS = 5_000;

/** The change to write after the vendor has accepted it. `askOnly`: the caller got a response that nothing was stored. */
export type StatusPush = { change: StatusInput; askOnly?: boolean };

export type Moving = {
  ordering: Ordering;
  forward: ForwardStatus;
  /** Settles an interrupted push. */
  recover(operation: Operation<StatusPush>): Promise<void>;
};

export type Moved = { order: Order; forwarded: Forwarded | undefined };

/**
 * Changes the status of an order, for a vendor's order at the vendor first. The intent is stored before the call and removed by
 * the transaction that writes the status: of two concurrent changes the second waits and is checked against the result of the
 * first, and a process that dies in between leaves an operation that `recoverStatusPush` settles.
 */
export async function moveOrder(moving: Moving, owner: OrderOwner, id: string, change: StatusInput): Promise<Moved> {
  const { ordering } = moving;
  if (!isId(id)) throw orderNotFound(id);
  const [known] = await findOrders(ordering.sql, [{ organizationId: owner.organizationId, id: id.toLowerCase() }]);
  const isVendorOrder = known !== undefined && known.organization_app_id !== '';
  if (!isVendorOrder || change.order_status === undefined) {
    return { order: await advanceOrder(ordering, owner, id, change), forwarded: undefined };
  }
  return whileFree(moving, id, () => moveVendorOrder(moving, owner, known.id, change));
}

/** Waits for a push of the same order to end. Returns 409 when it does not end in time. */
export async function whileFree<Result>(moving: Moving, id: string, work: () => Promise<Result>): Promise<Result> {
  const { ordering, recover } = moving;
  try {
    return await untilFree(work, {
      now: ordering.clock.now,
      recover: (operation) => recover(operation as Operation<StatusPush>),
    });
  } catch (error) {
    throw error instanceof OperationUnderWay ? orderBusy(id) : error;
  }
}

export function refuseWhilePushed(tx: Tx, { organization_id, id }: Pick<Order, 'organization_id' | 'id'>) {
  return refuseUnderWay(tx, { organization_id, kind: STATUS_PUSH, subject_id: id });
}

async function moveVendorOrder(
  { ordering, forward }: Moving,
  owner: OrderOwner,
  id: string,
  change: StatusInput,
): Promise<Moved> {
  const raw = await findRaw(ordering, owner.organizationId, id);
  const begun = await notifyAfterCommit(ordering.outbox, () =>
    inTransaction(ordering.sql, async (tx) => {
      const [before] = await lockOrders(tx, owner.organizationId, [id], owner.branchId);
      if (before === undefined) throw orderNotFound(id);
      const now = ordering.clock.now();
      const moved = withStatus(before, change, now);
      if ('refusal' in moved) throw moved.refusal;
      const { after } = moved;
      if (change.notes) refuseTooLarge(after);
      const pushed = toForward(before, change, raw);
      const key = { organization_id: owner.organizationId, kind: STATUS_PUSH, subject_id: id };
      if (pushed !== undefined) {
        const input: StatusPush = { change };
        return { pushed, operation: await beginOperation(tx, key, { input, now, leaseMs: PUSH_LEASE_MS }) };
      }
      await refuseUnderWay(tx, key);
      await saveChanges(tx, ordering, [{ before, after }]);
      return { order: after };
    }),
  );
  if (begun.order !== undefined) return { order: begun.order, forwarded: undefined };
  const { pushed, operation } = begun;
  const outcome = await forward.push(pushed).catch(async (error: unknown) => {
    await settleOperation(ordering.sql, operation);
    throw error;
  });
  if (outcome.kind === 'updated') {
    const order = await writePushed(ordering, operation, outcome.forwarded);
    return { order, forwarded: outcome.forwarded };
  }
  if (outcome.kind === 'unclear' && outcome.canAsk) {
    const asked = { ...operation, input: { ...operation.input, askOnly: true } };
    const now = ordering.clock.now();
    const recoverAt = new Date(now.getTime() + ASK_AFTER_MS);
    // A request without an answer may still be carried out: a repeat waits, so as not to be overtaken by it.
    await abandonOperation(ordering.sql, asked, { recoverAt, freeAt: outcome.hasAnswered ? now : recoverAt });
  } else await settleOperation(ordering.sql, operation);
  throw outcome.problem;
}

/** Writes the status that the vendor has accepted and ends the operation, in one transaction. */
async function writePushed(ordering: Ordering, operation: Operation<StatusPush>, forwarded: Forwarded): Promise<Order> {
  const { organization_id: organizationId, subject_id: id, input } = operation;
  const written = await notifyAfterCommit(ordering.outbox, () =>
    inTransaction(ordering.sql, async (tx) => {
      const [before] = await lockOrders(tx, organizationId, [id], null);
      if (!(await settleOperation(tx, operation))) throw orderBusy(id);
      if (before === undefined) return { refusal: orderNotFound(id) };
      const change = withFulfillment(input.change, forwarded);
      const moved = withStatus(before, change, ordering.clock.now());
      // The vendor has changed the status itself meanwhile. Its own update stays.
      if ('refusal' in moved) return moved;
      await saveChanges(tx, ordering, [{ before, after: moved.after }]);
      return { order: moved.after };
    }),
  );
  if ('refusal' in written) throw written.refusal;
  return written.order;
}

/** After a process died between the vendor's answer and the write, or after a push with an unknown outcome. */
export async function recoverStatusPush(
  { ordering, forward }: Pick<Moving, 'ordering' | 'forward'>,
  operation: Operation<StatusPush>,
): Promise<void> {
  const { organization_id: organizationId, subject_id: id, input } = operation;
  const [order] = await findOrders(ordering.sql, [{ organizationId, id }]);
  const isPossible = order !== undefined && 'after' in withStatus(order, input.change, ordering.clock.now());
  const pushed = isPossible ? toForward(order, input.change, await findRaw(ordering, organizationId, id)) : undefined;
  const forwarded = pushed && (await forward.recover(pushed, { mayPush: input.askOnly !== true }));
  if (forwarded === undefined) await settleOperation(ordering.sql, operation);
  else await writePushed(ordering, operation, forwarded);
}

async function findRaw({ sql }: Ordering, organizationId: string, id: string): Promise<string | null> {
  const [found] = await findRawPayloads(sql, organizationId, [id]);
  return found?.raw ?? null;
}

/** The vendor's own update follows and then changes nothing. A fulfillment status of the caller has precedence. */
function withFulfillment(change: StatusInput, { fulfillmentStatus }: Forwarded): StatusInput {
  return fulfillmentStatus === undefined ? change : { fulfillment_status: fulfillmentStatus, ...change };
}

function toForward(order: Order, { order_status, notes }: StatusInput, raw: string | null): ForwardedOrder | undefined {
  const wanted = canonicalStatus(order_status ?? '');
  // Vendors' orders arrive as RECEIVED. The shop accepts one with another status of the same meaning (accepted, preparing).
  const isAccepted =
    wanted === 'received' && order.order_status === FORWARDED.received && order_status !== FORWARDED.received;
  const isChange = isAccepted || wanted !== canonicalStatus(order.order_status);
  const status = wanted in FORWARDED ? FORWARDED[wanted as keyof typeof FORWARDED] : undefined;
  if (!isChange || status === undefined || order.source_transaction_id === null) return undefined;
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
