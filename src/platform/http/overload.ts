import type { App } from './app.ts';
import { unavailable } from './problem.ts';

/**
 * Past the cap a request is turned away at once instead of queueing for a database connection: the queue would only
 * grow, and every answer would come too late to be of use. Rejected: event-loop-delay probes, which on a shared machine
 * refuse healthy traffic whenever a neighbour is busy.
 */
export function installOverloadProtection(app: App, maxInFlight: number): { inFlight(): number } {
  let inFlight = 0;
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.staysOpen) return done();
    if (inFlight >= maxInFlight) return done(unavailable('Too many requests are in progress'));
    inFlight += 1;
    // 'close' comes exactly once, whether the answer was sent or the client went away.
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    done();
  });
  return { inFlight: () => inFlight };
}
