import { LANE, LANE_ROOM, MAX_IN_FLIGHT_PER_ORGANIZATION, ownShare } from './delivery.ts';
import type { Claim } from './sql/claims.ts';

type LaneKey = { organization_id: string; subscription_id: string; lane: number };

const OWN_ROOM = Object.values(LANE).map((lane) => ownShare(LANE_ROOM.healthy[lane]));

/** What this process has under way, and how much more of each lane and tenant it may take. */
export type InFlight = {
  add(claim: Claim): void;
  remove(claim: Claim): void;
  total(): number;
  retries(): number;
  /** Lanes and tenants of which this process has its share already. */
  fullLanes(): LaneKey[];
  fullOrganizations(): string[];
  laneRoom(lane: LaneKey): number;
  organizationRoom(organizationId: string): number;
};

/**
 * A process never takes the whole room of a busy receiver. The one that is quickest after each answer would keep it to
 * itself for good, however many others stand by: measured, 1,200 deliveries against none.
 */
export function createInFlight(): InFlight {
  // By subscription, then lane: a key made of both would be put together twice for every delivery.
  const subscriptions = new Map<string, { organization_id: string; total: number; lanes: number[] }>();
  const organizations = new Map<string, number>();
  let total = 0;
  let retries = 0;

  function move({ organization_id, subscription_id, lane }: Claim, by: 1 | -1): void {
    total += by;
    if (lane === LANE.retry) retries += by;
    const own = subscriptions.get(subscription_id) ?? { organization_id, total: 0, lanes: [] };
    own.total += by;
    own.lanes[lane] = (own.lanes[lane] ?? 0) + by;
    if (own.total > 0) subscriptions.set(subscription_id, own);
    else subscriptions.delete(subscription_id);
    const ofOrganization = (organizations.get(organization_id) ?? 0) + by;
    if (ofOrganization > 0) organizations.set(organization_id, ofOrganization);
    else organizations.delete(organization_id);
  }

  function lanesUnderWay(): LaneKey[] {
    return [...subscriptions].flatMap(([subscription_id, { organization_id, lanes }]) =>
      lanes.flatMap((count, lane) => (count > 0 ? [{ organization_id, subscription_id, lane }] : [])),
    );
  }

  const organizationRoom = (organizationId: string) =>
    ownShare(MAX_IN_FLIGHT_PER_ORGANIZATION) - (organizations.get(organizationId) ?? 0);
  const laneRoom = (lane: LaneKey) => {
    const own = subscriptions.get(lane.subscription_id)?.lanes[lane.lane] ?? 0;
    // Half of what the tenant's other lanes leave: one that hangs does not take it all.
    const left = Math.ceil((organizationRoom(lane.organization_id) + own) / 2);
    return Math.min(OWN_ROOM[lane.lane] ?? 0, left) - own;
  };

  return {
    add: (claim) => move(claim, 1),
    remove: (claim) => move(claim, -1),
    total: () => total,
    retries: () => retries,
    fullLanes: () => lanesUnderWay().filter((lane) => laneRoom(lane) <= 0),
    fullOrganizations: () => [...organizations.keys()].filter((id) => organizationRoom(id) <= 0),
    laneRoom,
    organizationRoom,
  };
}
