import { byIndexOnly, inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import type { InFlight } from './in-flight.ts';
import {
  type Claim,
  type ClaimRequest,
  claimFrom,
  LANES_PER_CLAIM,
  lockDueLanes,
  moveClaimedLanes,
  readTargets,
  type Target,
} from './sql/claims.ts';

/** What is gone by now, the event or the subscription, is missing. */
export type Shipment = { claim: Claim; body: Buffer | undefined; target: Target | undefined };

export type Wanted = Omit<ClaimRequest, 'fullLanes' | 'fullOrganizations'>;

export type Claimed = {
  shipments: Shipment[];
  /** There may be more to take at once. */
  more: boolean;
  /** Another process was claiming for the same organization; what it left is worth another look. */
  contended: boolean;
};

export const NOTHING_CLAIMED: Claimed = { shipments: [], more: false, contended: false };

export function claimDeliveries(sql: Sql, inFlight: InFlight, wanted: Wanted): Promise<Claimed> {
  return inTransaction(sql, async (tx) => {
    await byIndexOnly(tx);
    return claimIn(tx, inFlight, wanted);
  });
}

/**
 * Takes what is due and reads what to send, in one transaction: with the claim comes all that is needed to act on it, so
 * nothing can be claimed and then not be sent because the database went away in between.
 */
export async function claimIn(tx: Tx, inFlight: InFlight, wanted: Wanted): Promise<Claimed> {
  const request: ClaimRequest = {
    ...wanted,
    fullLanes: inFlight.fullLanes(),
    fullOrganizations: inFlight.fullOrganizations(),
  };
  const lanes = await lockDueLanes(tx, request);
  const ours = lanes.filter((lane) => lane.ours);
  const contended = ours.length < lanes.length;
  if (ours.length === 0) return { ...NOTHING_CLAIMED, contended };

  const own = ours.map((lane) => ({
    lane: inFlight.laneRoom(lane),
    organization: inFlight.organizationRoom(lane.organization_id),
  }));
  const claimed = await claimFrom(tx, ours, own, request);
  const claims = claimed.map(({ claim }) => claim);
  const [targets] = await Promise.all([
    claims.length === 0 ? [] : readTargets(tx, claims),
    moveClaimedLanes(tx, ours, claims),
  ]);
  const targetOf = new Map(targets.map((target) => [target.id, target]));
  const shipments = claimed.map(({ claim, body }) => ({ claim, body, target: targetOf.get(claim.subscription_id) }));
  return { shipments, more: claims.length === request.room || lanes.length === LANES_PER_CLAIM, contended };
}
