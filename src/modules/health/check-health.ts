import type { Sql } from '../../platform/database/index.ts';

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy';
export type HealthReport = { status: HealthStatus; reason: string };

const ANSWER_WITHIN_MS = 2_000;
const SLOW_MS = 1_000;
/** Anyone may ask for health: the database is asked at most this often on their behalf. */
const REMEMBER_MS = 500;

export function createHealthCheck(sql: Sql): () => Promise<HealthReport> {
  let lastReport: { at: number; report: Promise<HealthReport> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (lastReport === undefined || nowMs - lastReport.at > REMEMBER_MS) {
      lastReport = { at: nowMs, report: askDatabase(sql) };
    }
    return lastReport.report;
  };
}

async function askDatabase(sql: Sql): Promise<HealthReport> {
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ANSWER_WITHIN_MS);
  });
  try {
    await Promise.race([sql`select 1`, tooLate]);
  } catch {
    return { status: 'unhealthy', reason: 'The database cannot be reached' };
  } finally {
    clearTimeout(timer);
  }
  const tookMs = performance.now() - startedMs;
  if (tookMs > SLOW_MS) return { status: 'degraded', reason: `The database took ${Math.round(tookMs)} ms to answer` };
  return { status: 'healthy', reason: '' };
}
