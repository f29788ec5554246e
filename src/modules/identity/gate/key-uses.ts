import type { FastifyBaseLogger } from 'fastify';
import { createLatestMoments, type LatestMoments } from '../../../platform/background/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { saveKeyUses } from '../sql/key-uses.ts';

/** When API keys were last used, to the minute. */
export type KeyUses = LatestMoments<{ organizationId: string; id: string }>;

/** An organization has a hundred live keys at most, so ten thousand are a hundred tenants that use all of theirs. */
const MAX_KEYS = 10_000;

export function createKeyUses({ sql, clock, log }: { sql: Sql; clock: Clock; log: FastifyBaseLogger }): KeyUses {
  return createLatestMoments({
    name: 'api-key-uses',
    clock,
    log,
    grainMs: 60_000,
    maxWaiting: MAX_KEYS,
    maxNoted: MAX_KEYS,
    keyOf: ({ id }) => id,
    save: (uses) => saveKeyUses(sql, uses),
  });
}
