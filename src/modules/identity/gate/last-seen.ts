import type { FastifyBaseLogger } from 'fastify';
import { createLatestMoments, type LatestMoments } from '../../../platform/background/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { writeSightings } from '../sql/last-seen.ts';

/** When a member was last seen in an organization, to within ten minutes. */
export type LastSeen = LatestMoments<{ organizationId: string; userId: string }>;

const GRAIN_MS = 10 * 60_000;

export function createLastSeen({ sql, clock, log }: { sql: Sql; clock: Clock; log: FastifyBaseLogger }): LastSeen {
  return createLatestMoments({
    name: 'last-seen',
    clock,
    log,
    grainMs: GRAIN_MS,
    maxWaiting: 5_000,
    maxNoted: 50_000,
    keyOf: ({ organizationId, userId }) => `${organizationId} ${userId}`,
    // What another node has written within the grain is left as it is.
    save: (sightings) => writeSightings(sql, sightings, GRAIN_MS / 1000),
  });
}
