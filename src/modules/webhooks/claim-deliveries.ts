import { byGroup, inTransactionByIndex, type Sql, type Tx } from '../../platform/database/index.ts';
import { readAt } from '../events/index.ts';
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

export function claimDeliveries(sql: Sql, inFlight: InFlight, limits: ClaimLimits): Promise<Claimed> {
  return inTransactionByIndex(sql, (tx) => claimIn(tx, inFlight, limits));
}

/**
 * Claims what is due and reads what to send in one transaction, so that no claimed delivery stays unsent because the database
 * became unavailable in between.
 */
export async function claimIn(tx: Tx, inFlight: InFlight, limits: ClaimLimits): Promise<Claimed> {
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
  if (tx.layout.isDistributed) await addBodies(tx, claimed, inFlight);
  const claims = claimed.map(({ claim }) => claim);
  const [targets] = await Promise.all([
    claims.length === 0 ? [] : readTargets(tx, claims),
    updateClaimedQueues(tx, ours, claims),
  ]);
  const targetOf = new Map(targets.map((target) => [target.id, target]));
  const deliveries = claimed.map(({ claim, body }) => ({ claim, body, target: targetOf.get(claim.subscription_id) }));
  return { deliveries, hasMore: claims.length === request.maxItems || queues.length === QUEUES_PER_CLAIM, isContended };
}

/**
 * On a cluster: one read for each group of tenants. A node that does not answer fails this claim; the next ones leave its tenants out, so that
 * the others do not wait for it.
 */
async function addBodies(tx: Tx, claimed: ClaimedDelivery[], inFlight: InFlight): Promise<void> {
  const ofEvents = claimed.filter(({ position }) => position !== null);
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
