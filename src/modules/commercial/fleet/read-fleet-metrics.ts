import type { Sql } from '../../../platform/database/index.ts';
import { billingDay } from '../billing/index.ts';
import { type FleetRow, readFleet } from './sql/fleet.ts';
import { isUnchangedSince } from './sql/fleet-changes.ts';

const DAY_MS = 86_400_000;

type CachedAnswer = { day: string; snapshot: string; bytes: Buffer };
export type ReadFleetMetrics = (now: Date) => Promise<Buffer>;

/**
 * The answer as it is sent, cached until something in it changes: with 1,000 organizations it takes 12 ms to build, and
 * 0.1 ms to check that it is still valid. All operators see the same one.
 */
export function createReadFleetMetrics(sql: Sql): ReadFleetMetrics {
  let cached: CachedAnswer | undefined;
  let pending: Promise<CachedAnswer> | undefined;

  async function read(day: string, firstDay: string): Promise<CachedAnswer> {
    const fleet = await readFleet(sql, firstDay, day);
    cached = { day, snapshot: fleet.snapshot, bytes: Buffer.from(withoutTime(fleet)) };
    return cached;
  }

  return async (now) => {
    const day = billingDay(now);
    if (cached?.day === day && (await isUnchangedSince(sql, cached.snapshot))) return withTime(cached.bytes, now);
    // A read that is already running may predate the change that this caller must see; the next one does not.
    await pending?.catch(() => undefined);
    pending ??= read(day, billingDay(new Date(now.getTime() - 29 * DAY_MS))).finally(() => {
      pending = undefined;
    });
    return withTime((await pending).bytes, now);
  };
}

function withTime(rest: Buffer, now: Date): Buffer {
  return Buffer.concat([Buffer.from(`{"timestamp":"${now.toISOString()}",`), rest]);
}

/** The object without its opening brace, which comes with the time. */
function withoutTime({ snapshot: _, organizations, ...totals }: FleetRow): string {
  const { total_organizations, active_organizations, ...sums } = totals;
  const head = JSON.stringify({
    total_organizations,
    active_organizations,
    inactive_organizations: total_organizations - active_organizations,
    ...sums,
  });
  return `${head.slice(1, -1)},"organizations":${organizations}}`;
}
