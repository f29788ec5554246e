import { type Problem, unprocessable } from '../../../platform/http/problem.ts';
import type { OrderChannel } from '../../apps/index.ts';
import { DIRECT_CHANNEL, NO_BRANCH, type Order, type OrderBranch, type ReadyOrder } from '../order.ts';
import type { OrderContext, OrderReferences } from '../order-context.ts';
import type { Ordering, OrderOwner } from '../ordering.ts';
import { MAX_ORDER_BYTES, orderTooLarge } from '../refusals.ts';
import type { OrderInput } from '../schema.ts';
import { buildOrder } from './build-order.ts';

/**
 * A refusal is returned, not thrown: when the idempotency key was used before, the stored response is sent instead, even if
 * the branch no longer exists.
 */
export type Prepared = { ready: ReadyOrder } | { refusal: Problem };

/**
 * Builds the order a caller described and checks it against the tenant's branches and installs. Writes nothing. Everything it
 * needs is read here, before any transaction: an open transaction must not wait for a second connection.
 */
export async function prepareOrder(
  ordering: Ordering,
  owner: OrderOwner,
  input: OrderInput,
  id?: string,
): Promise<Prepared> {
  const context = await ordering.context.find(owner.organizationId, referencesOf(owner, input));
  const checked = checkBranch(ordering, owner, input, context, id);
  if ('refusal' in checked) return checked;
  const overflow = await ordering.statusCounters.findOverflow(ordering.sql, [checked.order]);
  return { ready: { ...checked, isOverflow: overflow.has(checked.order.id) } };
}

/** The same for a channel of this service (the till), which has looked up the branch already. */
export async function prepareOwnOrder(
  ordering: Ordering,
  organizationId: string,
  input: OrderInput,
  branch: OrderBranch,
  channel: OrderChannel,
): Promise<Prepared> {
  const built = build(ordering, organizationId, input, branch, channel);
  if ('refusal' in built) return built;
  const overflow = await ordering.statusCounters.findOverflow(ordering.sql, [built.order]);
  return { ready: { ...built, isOverflow: overflow.has(built.order.id) } };
}

/** A whole batch with two statements, whatever the number of orders. */
export async function prepareOrders(
  ordering: Ordering,
  owner: OrderOwner,
  inputs: readonly OrderInput[],
): Promise<Prepared[]> {
  const references = inputs.map((input) => referencesOf(owner, input));
  const contexts = await ordering.context.list(owner.organizationId, references);
  const checked = inputs.map((input, index) => checkBranch(ordering, owner, input, contexts[index] ?? UNKNOWN));
  const orders = checked.flatMap((one) => ('order' in one ? [one.order] : []));
  const overflow = await ordering.statusCounters.findOverflow(ordering.sql, orders);
  return checked.map((one) => ('refusal' in one ? one : { ready: { ...one, isOverflow: overflow.has(one.order.id) } }));
}

/** The checks of an order that need no lookup. */
export function refuseAtOnce({ clock }: Ordering, { organizationId }: OrderOwner, input: OrderInput): void {
  const order = buildOrder(organizationId, input, NO_BRANCH, DIRECT_CHANNEL, clock.now());
  refuseTooLarge(order);
}

export function refuseTooLarge(order: Order): void {
  if (isTooLarge(orderJson(order))) throw orderTooLarge();
}

const UNKNOWN: OrderContext = { branch: undefined, channel: DIRECT_CHANNEL };

function referencesOf(owner: OrderOwner, input: OrderInput): OrderReferences {
  return { destination: input.destination ?? owner.branchId, source: input.source };
}

type BuiltOrder = { order: Order; json: string } | { refusal: Problem };

function checkBranch(
  ordering: Ordering,
  { organizationId, branchId }: OrderOwner,
  input: OrderInput,
  { branch, channel }: OrderContext,
  id?: string,
): BuiltOrder {
  if (branch === undefined) return { refusal: unprocessable({ destination: 'does not exist' }) };
  if (branchId !== null && branch.destinationId !== branchId) {
    return { refusal: unprocessable({ destination: 'is not the branch of this account' }) };
  }
  return build(ordering, organizationId, input, branch, channel, id);
}

function build(
  { clock }: Ordering,
  organizationId: string,
  input: OrderInput,
  branch: OrderBranch,
  channel: OrderChannel,
  id?: string,
): BuiltOrder {
  const order = buildOrder(organizationId, input, branch, channel, clock.now(), id);
  const json = orderJson(order);
  return isTooLarge(json) ? { refusal: orderTooLarge() } : { order, json };
}

/** As `JSON.stringify` writes it. With a single Date in the object that takes 15.7 us instead of 6.5. */
export function orderJson(order: Order): string {
  return JSON.stringify({
    ...order,
    source_timestamp: order.source_timestamp?.toISOString() ?? null,
    promised_for: order.promised_for?.toISOString() ?? null,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  });
}

export function isTooLarge(json: string): boolean {
  // A character takes at most three bytes, so short texts need not be counted.
  return json.length > MAX_ORDER_BYTES / 3 && Buffer.byteLength(json) > MAX_ORDER_BYTES;
}
