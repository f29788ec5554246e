import { inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import type { OutgoingDelivery } from './claim-deliveries.ts';
import type { Capacity } from './direct-window.ts';
import { readTargets } from './sql/claims.ts';
import type { NewDelivery } from './sql/deliveries.ts';
import {
  type DirectClaim,
  type DirectLease,
  dropDirectClaim,
  findLostDirectClaim,
  insertDirectClaim,
  logPending,
  readUnlogged,
} from './sql/direct-claims.ts';
import { lockHealth } from './sql/outcomes.ts';
import { lockQueues } from './sql/subscription-queues.ts';

/** `claimedAtMs`: when the lease began, by `performance.now()`. */
export type DirectLimits = Omit<DirectLease, 'retriesLeft'> & { capacity: Capacity; claimedAtMs: number };

/** An event's delivery with the body to send. `isIdle`: nothing of its subscription waits. */
export type Sendable = { delivery: NewDelivery; body: string; isIdle: boolean };

export type ClaimedDirectly = { sent: ClaimedOutgoing[]; left: NewDelivery[] };
type ClaimedOutgoing = OutgoingDelivery & { claim: DirectClaim; claimedAtMs: number };

/**
 * Claims new deliveries for this process, instead of queueing them, where it has capacity and nothing waits. They are logged once, with their
 * outcome: of a delivery that succeeds at once neither queue nor log is written twice. Call it within the transaction of the fan-out,
 * and send after its commit.
 */
export async function claimDirectly(
  tx: Tx,
  deliveries: Sendable[],
  { capacity, claimedAtMs, ...lease }: DirectLimits,
  retriesLeft: number,
): Promise<ClaimedDirectly> {
  const taken = takeWithin(capacity, deliveries);
  const left = deliveries.filter((one) => !taken.has(one)).map(({ delivery }) => delivery);
  if (taken.size === 0) return { sent: [], left };
  const sendable = Array.from(taken, ({ delivery, body }) => ({ claim: claimOf(delivery, lease.claimId), body }));
  const claims = sendable.map(({ claim }) => claim);
  const [targets] = await Promise.all([
    readTargets(tx, claims),
    insertDirectClaim(tx, { ...lease, retriesLeft }, claims),
  ]);
  const targetOf = new Map(targets.map((target) => [target.id, target]));
  const sent = sendable.map(({ claim, body }) => ({
    claim,
    body: Buffer.from(body),
    target: targetOf.get(claim.subscription_id),
    claimedAtMs,
  }));
  return { sent, left };
}

/** Of each subscription the first ones: what comes later is queued behind them. */
function takeWithin(capacity: Capacity, deliveries: Sendable[]): Set<Sendable> {
  const taken = new Set<Sendable>();
  const ofSubscription = new Map<string, number>();
  let bytes = 0;
  for (const one of deliveries) {
    const id = one.delivery.subscription_id;
    const left = ofSubscription.get(id) ?? (one.isIdle ? capacity.ofSubscription(id) : 0);
    const size = left <= 0 ? 0 : Buffer.byteLength(one.body);
    const isFull = left <= 0 || taken.size >= capacity.total || bytes + size > capacity.bytes;
    ofSubscription.set(id, isFull ? 0 : left - 1);
    if (isFull) continue;
    bytes += size;
    taken.add(one);
  }
  return taken;
}

const claimOf = (delivery: NewDelivery, claimId: string): DirectClaim => ({
  delivery_id: delivery.id,
  organization_id: delivery.organization_id,
  subscription_id: delivery.subscription_id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  priority: delivery.priority,
  retries_left: delivery.retries_left,
  claim_id: claimId,
  unlogged: { position: delivery.event_position as number, created: delivery.created },
});

/** Logs and queues what a lost process had claimed, as its claims. Their lease has ended as well. False when there was nothing. */
export async function takeOverDirectClaim(sql: Sql, now: Date): Promise<boolean> {
  const claimId = await findLostDirectClaim(sql, now);
  if (claimId === undefined) return false;
  await inTransaction(sql, async (tx) => {
    const claims = await readUnlogged(tx, claimId);
    if (claims.length > 0) {
      const subscriptionIds = unique(claims, 'subscription_id');
      await lockHealth(tx, subscriptionIds, unique(claims, 'organization_id'));
      await lockQueues(tx, subscriptionIds);
      await logPending(
        tx,
        claims.map((claim) => ({ claim, isWaiting: false })),
      );
    }
    await dropDirectClaim(tx, claimId);
  });
  return true;
}

const unique = (claims: DirectClaim[], key: 'subscription_id' | 'organization_id') => [
  ...new Set(claims.map((claim) => claim[key])),
];
