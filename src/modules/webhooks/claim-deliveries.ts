import { inTransaction, type Sql } from '../../platform/database/index.ts';
import type { InFlight } from './in-flight.ts';
import {
  type Claim,
  type ClaimRequest,
  claimFrom,
  LANES_PER_CLAIM,
  lockDueLanes,
  moveClaimedLanes,
  type Parcel,
  readParcels,
} from './sql/claims.ts';

export type Shipment = { claim: Claim; parcel: Parcel | undefined };

export type Wanted = Omit<ClaimRequest, 'fullLanes' | 'fullOrganizations'>;

export type Claimed = {
  shipments: Shipment[];
  /** There may be more to take at once. */
  more: boolean;
  /** Another process was claiming for the same organization; what it left is worth another look. */
  contended: boolean;
};

/**
 * Takes what is due and reads what to send, in one transaction: with the claim comes all that is needed to act on it, so
 * nothing can be claimed and then not be sent because the database went away in between.
 */
export function claimDeliveries(sql: Sql, inFlight: InFlight, wanted: Wanted): Promise<Claimed> {
  const request: ClaimRequest = {
    ...wanted,
    fullLanes: inFlight.fullLanes(),
    fullOrganizations: inFlight.fullOrganizations(),
  };
  return inTransaction(sql, async (tx) => {
    const lanes = await lockDueLanes(tx, request);
    if (lanes.length === 0) return { shipments: [], more: false, contended: false };
    const ours = lanes.filter((lane) => lane.ours);
    const contended = ours.length < lanes.length;
    if (ours.length === 0) return { shipments: [], more: false, contended };

    const own = ours.map((lane) => ({
      lane: inFlight.laneRoom(lane),
      organization: inFlight.organizationRoom(lane.organization_id),
    }));
    const claims = await claimFrom(tx, ours, own, request);
    const [parcels] = await Promise.all([
      claims.length === 0 ? [] : readParcels(tx, claims),
      moveClaimedLanes(tx, ours, claims),
    ]);
    const parcelOf = new Map(parcels.map((parcel) => [parcel.delivery_id, parcel]));
    const shipments = claims.map((claim) => ({ claim, parcel: parcelOf.get(claim.delivery_id) }));
    const more = claims.length === request.room || lanes.length === LANES_PER_CLAIM;
    return { shipments, more, contended };
  });
}
