import { LRUCache } from 'lru-cache';
import type { Queryable, Sql } from '../../../platform/database/index.ts';
import type { Jobs } from '../../../platform/jobs/index.ts';
import { atMostEntries } from '../../../platform/lru-limit.ts';
import type { AskForRefresh } from './read-sensy.ts';
import { REFRESH_JOB } from './refresh-forecasts.ts';

/** While a refresh is queued or has just begun, readers of stale forecasts do not request another. */
const ASKED_FOR_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/** At most one job per organization is queued. */
export function createAskForRefresh(sql: Sql, jobs: Jobs): AskForRefresh {
  const asked = new LRUCache<string, true>({ ...atMostEntries(MAX_REMEMBERED), ttl: ASKED_FOR_MS });
  return async (organizationId) => {
    if (asked.has(organizationId)) return;
    asked.set(organizationId, true);
    await enqueueRefresh(sql, jobs, organizationId);
  };
}

export function enqueueRefresh(sql: Queryable, jobs: Jobs, organizationId: string): Promise<void> {
  // All with the same order: at most one per organization waits, so there is no backlog of a tenant to put behind others.
  const tenant = { organizationId, turn: 0 };
  return jobs.enqueue(sql, REFRESH_JOB, { organizationId }, { singletonKey: organizationId, tenant });
}
