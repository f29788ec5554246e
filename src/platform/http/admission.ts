import { createCappedCounter } from '../fair-limiter/index.ts';
import { type Problem, tooManyRequests, unavailable } from './problem.ts';

/** A request from its headers until its response is sent. */
export type AdmittedRequest = {
  /** Requests that stay open by design are not counted. */
  readonly isCounted: boolean;
  isInProgress: boolean;
  owner: string | undefined;
};

/** Who a request counts for: a tenant, or all unauthenticated clients together. Probes count for no owner. */
export type Owner = { tenant: string } | 'unauthenticated' | 'probe';

/**
 * Admits requests up to a concurrency limit. Only work in progress counts: a request whose body is still being received does not, nor
 * does one whose response is ready to be read. Clients that send or read slowly therefore block no others.
 */
export type Admission = {
  admit(isCounted: boolean): { admitted: AdmittedRequest } | { refused: Problem };
  /** Its body is still to be received. */
  suspend(request: AdmittedRequest): void;
  /** Its body is complete and its owner is known: from here on it also counts for the owner. */
  resume(request: AdmittedRequest, owner: Owner): Problem | undefined;
  markAnswered(request: AdmittedRequest): void;
  /** The response is sent, or the client has disconnected. */
  release(request: AdmittedRequest): void;
  /** Refuses new requests; admitted ones may finish. */
  close(): void;
  inFlight(): number;
};

const UNAUTHENTICATED = 'unauthenticated';
const RETRY_AFTER_MS = 1_000;

/**
 * Past the limit a request is refused at once instead of queueing for a database connection: the queue would only grow, and every
 * response would come too late to be useful. Rejected: event-loop-delay probes, which on a shared machine refuse healthy traffic
 * whenever another process is busy. One tenant gets at most half of the limit, and so do all unauthenticated clients together, until
 * their responses are read: unread responses of one do not block another.
 */
export function createAdmission(maxInFlight: number): Admission {
  const maxPerOwner = Math.max(1, Math.floor(maxInFlight / 2));
  const inProgress = createCappedCounter({ maxConcurrent: maxInFlight });
  const byOwner = createCappedCounter({ maxConcurrentPerTenant: maxPerOwner });
  let isClosed = false;

  function start(request: AdmittedRequest): Problem | undefined {
    if (!request.isCounted || request.isInProgress) return undefined;
    if (inProgress.tryTake({}) !== undefined) return unavailable('Too many requests are in progress');
    request.isInProgress = true;
    return undefined;
  }

  function suspend(request: AdmittedRequest): void {
    if (request.isInProgress) inProgress.give({});
    request.isInProgress = false;
  }

  return {
    admit(isCounted) {
      if (isClosed) return { refused: unavailable('The service is stopping') };
      const admitted: AdmittedRequest = { isCounted, isInProgress: false, owner: undefined };
      const refused = start(admitted);
      return refused === undefined ? { admitted } : { refused };
    },
    resume(request, owner) {
      const refused = start(request);
      if (refused !== undefined || !request.isCounted || owner === 'probe') return refused;
      const name = owner === 'unauthenticated' ? UNAUTHENTICATED : owner.tenant;
      if (byOwner.tryTake({ tenant: name }) === undefined) {
        request.owner = name;
        return undefined;
      }
      return owner === 'unauthenticated'
        ? unavailable('Too many requests are in progress')
        : tooManyRequests(maxPerOwner, RETRY_AFTER_MS);
    },
    suspend,
    markAnswered: suspend,
    release(request) {
      suspend(request);
      if (request.owner !== undefined) byOwner.give({ tenant: request.owner });
      request.owner = undefined;
    },
    close() {
      isClosed = true;
    },
    inFlight: inProgress.total,
  };
}
