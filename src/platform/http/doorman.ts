import { type Problem, tooManyRequests, unavailable } from './problem.ts';
import { createShares } from './shares.ts';

/** One request, from its headers until its answer is out. */
export type Visit = {
  /** Those that stay open by design are not counted. */
  readonly isCounted: boolean;
  isInside: boolean;
  owner: string | undefined;
};

/** Who a request is counted for: a tenant, or all strangers together. Probes are nobody's. */
export type Owner = { tenant: string } | 'strangers' | 'nobody';

/**
 * Lets requests in, or says why not. What counts is work in progress: a request whose body is still on its way is
 * outside again, and so is one whose answer is ready and only has to be fetched. Who merely sends slowly or reads
 * slowly keeps nobody out.
 */
export type Doorman = {
  enter(isCounted: boolean): { visit: Visit } | { refused: Problem };
  /** Its body is still to come. */
  stepOut(visit: Visit): void;
  /** Its body is there and its owner is known; from here on it also counts for that one. */
  begin(visit: Visit, owner: Owner): Problem | undefined;
  answered(visit: Visit): void;
  /** The answer is out, or the client has gone. */
  leave(visit: Visit): void;
  /** From now on nobody is let in; those who came before may finish. */
  close(): void;
  inFlight(): number;
};

const STRANGERS = 'strangers';
const RETRY_AFTER_MS = 1_000;

/**
 * Past the cap a request is turned away at once instead of queueing for a database connection: the queue would only
 * grow, and every answer would come too late to be of use. Rejected: event-loop-delay probes, which on a shared machine
 * refuse healthy traffic whenever a neighbour is busy. One tenant gets at most half of the cap, and so do all
 * strangers together, until their answers are fetched: what one of them leaves waiting is not in another's way.
 */
export function createDoorman(maxInFlight: number): Doorman {
  const mostOfOne = Math.max(1, Math.floor(maxInFlight / 2));
  const shares = createShares(Number.POSITIVE_INFINITY, mostOfOne);
  let inFlight = 0;
  let closed = false;

  function stepIn(visit: Visit): Problem | undefined {
    if (!visit.isCounted || visit.isInside) return undefined;
    if (inFlight >= maxInFlight) return unavailable('Too many requests are in progress');
    inFlight += 1;
    visit.isInside = true;
    return undefined;
  }

  function stepOut(visit: Visit): void {
    if (visit.isInside) inFlight -= 1;
    visit.isInside = false;
  }

  return {
    enter(isCounted) {
      if (closed) return { refused: unavailable('The service is stopping') };
      const visit: Visit = { isCounted, isInside: false, owner: undefined };
      const refused = stepIn(visit);
      return refused === undefined ? { visit } : { refused };
    },
    begin(visit, owner) {
      const refused = stepIn(visit);
      if (refused !== undefined || !visit.isCounted || owner === 'nobody') return refused;
      const name = owner === 'strangers' ? STRANGERS : owner.tenant;
      if (shares.take(name, 1) === undefined) {
        visit.owner = name;
        return undefined;
      }
      return owner === 'strangers'
        ? unavailable('Too many requests are in progress')
        : tooManyRequests(mostOfOne, RETRY_AFTER_MS);
    },
    stepOut,
    answered: stepOut,
    leave(visit) {
      stepOut(visit);
      if (visit.owner !== undefined) shares.give(visit.owner, 1);
      visit.owner = undefined;
    },
    close() {
      closed = true;
    },
    inFlight: () => inFlight,
  };
}
