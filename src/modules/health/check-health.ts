import { type Sql, withoutTenant } from '../../platform/database/index.ts';
import { within } from '../../platform/within.ts';
import type { FollowerReport, HealthSources } from './sources.ts';
import { ping } from './sql.ts';

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy';
/** `databaseMs` is how long the database took to answer. */
export type HealthReport = { status: HealthStatus; reason: string; databaseMs?: number };

const ANSWER_WITHIN_MS = 2_000;
const SLOW_MS = 1_000;
/** Followers normally lag by milliseconds; clients notice a lag of minutes. */
const FAR_BEHIND_SECONDS = 120;
/** /health is public: at most one database query per this interval. */
const REMEMBER_MS = 500;

export function createHealthCheck(
  sql: Sql,
  { followers, isDraining }: Pick<HealthSources, 'followers' | 'isDraining'>,
): () => Promise<HealthReport> {
  let lastReport: { at: number; report: Promise<HealthReport> } | undefined;
  return async () => {
    // Before the service stops taking requests: a balancer needs a moment to look elsewhere.
    if (isDraining()) return { status: 'unhealthy', reason: 'The service is stopping' };
    const nowMs = performance.now();
    if (lastReport === undefined || nowMs - lastReport.at > REMEMBER_MS) {
      lastReport = { at: nowMs, report: report(sql, followers) };
    }
    return lastReport.report;
  };
}

async function report(sql: Sql, followers: HealthSources['followers']): Promise<HealthReport> {
  const startedMs = performance.now();
  try {
    // Outside any tenant's share of the pool: neither other clients nor background loops delay it.
    await answered(withoutTenant(() => ping(sql)));
  } catch {
    return { status: 'unhealthy', reason: 'The database cannot be reached' };
  }
  const databaseMs = Math.round(performance.now() - startedMs);
  if (databaseMs > SLOW_MS) return { ...degraded(`The database took ${databaseMs} ms to answer`), databaseMs };
  try {
    return { ...judgeFollowers(await answered(followers())), databaseMs };
  } catch {
    return { ...degraded('The followers of events cannot be asked after'), databaseMs };
  }
}

export function answered<T>(asked: PromiseLike<T>): Promise<T> {
  return within(ANSWER_WITHIN_MS, asked, () => {
    throw new Error('no answer');
  });
}

function judgeFollowers(reports: FollowerReport[]): HealthReport {
  for (const { name, seconds_behind, dead_lettered_last_day } of reports) {
    if (seconds_behind > FAR_BEHIND_SECONDS) {
      return degraded(`Follower ${name} is ${Math.round(seconds_behind)} seconds behind`);
    }
    if (dead_lettered_last_day > 0)
      return degraded(`Follower ${name} dead-lettered ${dead_lettered_last_day} events in the last day`);
  }
  return { status: 'healthy', reason: '' };
}

function degraded(reason: string): HealthReport {
  return { status: 'degraded', reason };
}
