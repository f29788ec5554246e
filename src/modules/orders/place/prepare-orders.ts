import { type Problem, unprocessable } from '../../../platform/http/problem.ts';
import type { OrderChannel } from '../../apps/index.ts';
import { DIRECT_CHANNEL, type Order, type ReadyOrder } from '../order.ts';
import type { Surroundings } from '../order-context.ts';
import type { Ordering, OrderOwner } from '../ordering.ts';
import { MAX_ORDER_BYTES, orderTooLarge } from '../refusals.ts';
import type { OrderInput } from '../schema.ts';
import { buildOrder, NOWHERE, type OrderPlace } from './build-order.ts';

/**
 * A refusal is given back, not thrown: under a key that was used before, the kept answer comes first, whatever has become
 * of the branch since.
 */
export type Prepared = { ready: ReadyOrder } | { refusal: Problem };

/**
 * The order a caller described, checked against the tenant's branches and installs; nothing is written yet. All that it
 * takes is read here, before any transaction: one that is open waits for no second connection.
 */
export async function prepareOrder(
  ordering: Ordering,
  owner: OrderOwner,
  input: OrderInput,
  id?: string,
): Promise<Prepared> {
  const around = await ordering.context.findSurroundings(owner.organizationId, wantedBy(owner, input));
  const judged = judge(ordering, owner, input, around, id);
  if ('refusal' in judged) return judged;
  const rare = await ordering.statusCounters.findOverflow(ordering.sql, [judged.order]);
  return { ready: { ...judged, isOverflow: rare.has(judged.order.id) } };
}

/** The same for a channel of our own, which has looked up the branch already. */
export async function prepareOwnOrder(
  ordering: Ordering,
  organizationId: string,
  input: OrderInput,
  place: OrderPlace,
  channel: OrderChannel,
): Promise<Prepared> {
  const built = build(ordering, organizationId, input, place, channel);
  if ('refusal' in built) return built;
  const rare = await ordering.statusCounters.findOverflow(ordering.sql, [built.order]);
  return { ready: { ...built, isOverflow: rare.has(built.order.id) } };
}

/** A whole batch by two statements, however many orders there are. */
export async function prepareOrders(
  ordering: Ordering,
  owner: OrderOwner,
  inputs: readonly OrderInput[],
): Promise<Prepared[]> {
  const wanted = inputs.map((input) => wantedBy(owner, input));
  const surroundings = await ordering.context.listSurroundings(owner.organizationId, wanted);
  const judged = inputs.map((input, index) => judge(ordering, owner, input, surroundings[index] ?? UNKNOWN));
  const orders = judged.flatMap((one) => ('order' in one ? [one.order] : []));
  const rare = await ordering.statusCounters.findOverflow(ordering.sql, orders);
  return judged.map((one) => ('refusal' in one ? one : { ready: { ...one, isOverflow: rare.has(one.order.id) } }));
}

/** What can be said of an order without looking anything up. */
export function refuseAtOnce({ clock }: Ordering, { organizationId }: OrderOwner, input: OrderInput): void {
  const order = buildOrder(organizationId, input, NOWHERE, DIRECT_CHANNEL, clock.now());
  refuseTooLarge(order);
}

export function refuseTooLarge(order: Order): void {
  if (isTooLarge(JSON.stringify(order))) throw orderTooLarge();
}

const UNKNOWN: Surroundings = { place: undefined, channel: DIRECT_CHANNEL };

function wantedBy(owner: OrderOwner, input: OrderInput) {
  return { destination: input.destination ?? owner.branchId, source: input.source };
}

type Judged = { order: Order; json: string } | { refusal: Problem };

function judge(
  ordering: Ordering,
  { organizationId, branchId }: OrderOwner,
  input: OrderInput,
  { place, channel }: Surroundings,
  id?: string,
): Judged {
  if (place === undefined) return { refusal: unprocessable({ destination: 'does not exist' }) };
  if (branchId !== null && place.destinationId !== branchId) {
    return { refusal: unprocessable({ destination: 'is not the branch of this account' }) };
  }
  return build(ordering, organizationId, input, place, channel, id);
}

function build(
  { clock }: Ordering,
  organizationId: string,
  input: OrderInput,
  place: OrderPlace,
  channel: OrderChannel,
  id?: string,
): Judged {
  const order = buildOrder(organizationId, input, place, channel, clock.now(), id);
  const json = JSON.stringify(order);
  return isTooLarge(json) ? { refusal: orderTooLarge() } : { order, json };
}

export function isTooLarge(json: string): boolean {
  return Buffer.byteLength(json) > MAX_ORDER_BYTES;
}
