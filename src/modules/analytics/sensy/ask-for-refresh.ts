import { LRUCache } from 'lru-cache';
import type { Queryable, Sql } from '../../../platform/database/index.ts';
import type { Jobs } from '../../../platform/jobs/index.ts';
import type { AskForRefresh } from './read-sensy.ts';
import { REFRESH_JOB } from './refresh-forecasts.ts';

/** While one is queued or has just begun, whoever reads stale forecasts need not ask again. */
const ASKED_FOR_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/** One job waits an organization at most, however many ask. */
export function createAskForRefresh(sql: Sql, jobs: Jobs): AskForRefresh {
  const asked = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: ASKED_FOR_MS });
  return async (organizationId) => {
    if (asked.has(organizationId)) return;
    asked.set(organizationId, true);
    await enqueueRefresh(sql, jobs, organizationId);
  };
}

export function enqueueRefresh(sql: Queryable, jobs: Jobs, organizationId: string): Promise<void> {
  // Turns are all the same: of one organization no more than one waits, so nobody has any to be put behind.
  const tenant = { organizationId, turn: 0 };
  return jobs.enqueue(sql, REFRESH_JOB, { organizationId }, { singletonKey: organizationId, tenant });
}
