import { type Problem, unavailable } from './problem.ts';

/** Lets requests in, or says why not. Each one that was let in leaves once. Those that stay open by design are not counted. */
export type Doorman = {
  enter(isCounted: boolean): Problem | undefined;
  leave(isCounted: boolean): void;
  /** From now on nobody is let in; those inside may finish. */
  close(): void;
  inFlight(): number;
};

/**
 * Past the cap a request is turned away at once instead of queueing for a database connection: the queue would only
 * grow, and every answer would come too late to be of use. Rejected: event-loop-delay probes, which on a shared machine
 * refuse healthy traffic whenever a neighbour is busy.
 */
export function createDoorman(maxInFlight: number): Doorman {
  let inFlight = 0;
  let closed = false;
  return {
    enter(isCounted) {
      if (closed) return unavailable('The service is stopping');
      if (!isCounted) return undefined;
      if (inFlight >= maxInFlight) return unavailable('Too many requests are in progress');
      inFlight += 1;
      return undefined;
    },
    leave(isCounted) {
      if (isCounted) inFlight -= 1;
    },
    close() {
      closed = true;
    },
    inFlight: () => inFlight,
  };
}
