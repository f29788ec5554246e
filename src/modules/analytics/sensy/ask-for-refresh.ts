import type { Queryable, Sql } from '../../../platform/database/index.ts';
import type { Jobs } from '../../../platform/jobs/index.ts';
import type { AskForRefresh } from './read-sensy.ts';
import { REFRESH_JOB } from './refresh-forecasts.ts';

/** While one is queued or has just begun, whoever reads stale forecasts need not ask again. */
const ASKED_FOR_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/** One job waits an organization at most, however many ask. */
export function createAskForRefresh(sql: Sql, jobs: Jobs): AskForRefresh {
  const askedAtMs = new Map<string, number>();
  return async (organizationId) => {
    const nowMs = performance.now();
    if (nowMs - (askedAtMs.get(organizationId) ?? -Infinity) < ASKED_FOR_MS) return;
    if (askedAtMs.size >= MAX_REMEMBERED) askedAtMs.clear();
    askedAtMs.set(organizationId, nowMs);
    await enqueueRefresh(sql, jobs, organizationId);
  };
}

export function enqueueRefresh(sql: Queryable, jobs: Jobs, organizationId: string): Promise<void> {
  // Turns are all the same: of one organization no more than one waits, so nobody has any to be put behind.
  const tenant = { organizationId, turn: 0 };
  return jobs.enqueue(sql, REFRESH_JOB, { organizationId }, { singletonKey: organizationId, tenant });
}
