import { byGroup, inTransactionByIndex, type Sql, type Tx } from '../../platform/database/index.ts';
import { type RecentEvents, readAt, readBodies } from '../events/index.ts';
import type { InFlight } from './in-flight.ts';
import {
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  claimFromQueues,
  lockDueQueues,
  QUEUES_PER_CLAIM,
  readTargets,
  type Target,
  updateClaimedQueues,
} from './sql/claims.ts';

/** A claimed delivery with what is needed to send it. Event and subscription are undefined once they are deleted. */
export type OutgoingDelivery = { claim: Claim; body: Buffer | undefined; target: Target | undefined };

export type ClaimLimits = Omit<ClaimRequest, 'fullQueues' | 'fullOrganizations'>;

export type Claimed = {
  deliveries: OutgoingDelivery[];
  /** There may be more to claim now. */
  hasMore: boolean;
  /** Another process was claiming for the same organization. What it left may be claimed next. */
  isContended: boolean;
};

/** Of the node of a cluster that has the events. */
const READ_WITHIN_MS = 5_000;

export const NOTHING_CLAIMED: Claimed = { deliveries: [], hasMore: false, isContended: false };

export function claimDeliveries(
  sql: Sql,
  inFlight: InFlight,
  limits: ClaimLimits,
  recent?: RecentEvents,
): Promise<Claimed> {
  return inTransactionByIndex(sql, (tx) => claimIn(tx, inFlight, limits, recent));
}

/**
 * Claims what is due and reads what to send in one transaction, so that no claimed delivery stays unsent because the database
 * became unavailable in between.
 */
export async function claimIn(
  tx: Tx,
  inFlight: InFlight,
  limits: ClaimLimits,
  recent?: RecentEvents,
): Promise<Claimed> {
  const request: ClaimRequest = {
    ...limits,
    fullQueues: inFlight.fullQueues(),
    fullOrganizations: inFlight.fullOrganizations(),
  };
  const queues = await lockDueQueues(tx, request);
  const ours = queues.filter((queue) => queue.ours);
  const isContended = ours.length < queues.length;
  if (ours.length === 0) return { ...NOTHING_CLAIMED, isContended };

  const processSlots = ours.map((queue) => ({
    queue: inFlight.freeInQueue(queue),
    organization: inFlight.freeInOrganization(queue.organization_id),
  }));
  const claimed = await claimFromQueues(tx, ours, processSlots, request);
  const unread = claimed.filter(
    (delivery) => delivery.position !== null && !addKnownBody(tx, delivery, recent, limits.now),
  );
  if (tx.layout.isDistributed) await addBodiesOnCluster(tx, unread, inFlight);
  const claims = claimed.map(({ claim }) => claim);
  const [targets] = await Promise.all([
    claims.length === 0 ? [] : readTargets(tx, claims),
    updateClaimedQueues(tx, ours, claims),
    tx.layout.isDistributed ? undefined : addBodies(tx, unread),
  ]);
  const targetOf = new Map(targets.map((target) => [target.id, target]));
  const deliveries = claimed.map(({ claim, body }) => ({ claim, body, target: targetOf.get(claim.subscription_id) }));
  return { deliveries, hasMore: claims.length === request.maxItems || queues.length === QUEUES_PER_CLAIM, isContended };
}

function addKnownBody(tx: Tx, delivery: ClaimedDelivery, recent: RecentEvents | undefined, now: Date): boolean {
  const { organization_id, event_id } = delivery.claim;
  const event = recent?.find(tx.layout.groupOf(organization_id), delivery.position as number, event_id, now);
  if (event?.organization_id !== organization_id) return false;
  delivery.body = Buffer.from(event.body);
  return true;
}

async function addBodies(tx: Tx, unread: ClaimedDelivery[]): Promise<void> {
  const bodies = await readBodies(
    tx,
    unread.map(({ claim, position }) => ({ organizationId: claim.organization_id, position: position as number })),
  );
  for (const delivery of unread) {
    const body = bodies.get(delivery.position as number);
    delivery.body = body === undefined ? undefined : Buffer.from(body);
  }
}

/**
 * On a cluster: one read for each group of tenants. A node that does not answer fails this claim; the next ones leave its tenants out, so that
 * the others do not wait for it.
 */
async function addBodiesOnCluster(tx: Tx, ofEvents: ClaimedDelivery[], inFlight: InFlight): Promise<void> {
  const { layout } = tx;
  await tx.unsafe(`set local statement_timeout = ${READ_WITHIN_MS}`);
  for (const [group, theirs] of byGroup(layout, ofEvents, ({ claim }) => claim.organization_id)) {
    const positions = [...new Set(theirs.map(({ position }) => position as number))];
    const events = await readAt(tx, group, positions).catch((error: unknown) => {
      const tenants = new Set(ofEvents.map(({ claim }) => claim.organization_id));
      inFlight.avoid([...tenants].filter((id) => layout.nodeOf(layout.groupOf(id)) === layout.nodeOf(group)));
      throw error;
    });
    const bodies = new Map(events.map((event) => [event.position, Buffer.from(event.body)]));
    for (const one of theirs) one.body = bodies.get(one.position as number);
  }
}
