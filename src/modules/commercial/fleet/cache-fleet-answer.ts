import { inSnapshot, type Sql, type Tx } from '../../../platform/database/index.ts';
import { billingDay } from '../billing/index.ts';
import { isFleetUnchangedSince } from './sql/fleet-changes.ts';

type CachedAnswer = { day: string; snapshot: string; rest: Buffer };

/** The answer as it is sent, with the time of the request in front. */
export type FleetAnswer = (now: Date) => Promise<Buffer>;

/**
 * Caches an answer over all organizations until a source changes. One statement of 0.1 ms checks that no transaction which the answer
 * could not see has changed one, so an answer is never older than the last acknowledged write, of any process. All operators see the same.
 *
 * `read` returns the JSON object without its time, for a billing day.
 */
export function cacheFleetAnswer(sql: Sql, read: (tx: Tx, day: string, now: Date) => Promise<string>): FleetAnswer {
  let cached: CachedAnswer | undefined;
  let pending: Promise<CachedAnswer> | undefined;

  async function readAgain(day: string, now: Date): Promise<CachedAnswer> {
    cached = await inSnapshot(sql, async (tx) => {
      const [row] = await tx<[{ snapshot: string }]>`select pg_current_snapshot()::text as snapshot`;
      const text = await read(tx, day, now);
      // The opening brace comes with the time.
      return { day, snapshot: row.snapshot, rest: Buffer.from(text.slice(1)) };
    });
    return cached;
  }

  return async (now) => {
    const day = billingDay(now);
    if (cached?.day === day && (await isFleetUnchangedSince(sql, cached.snapshot))) return withTime(cached.rest, now);
    // A read that is already running may predate the change that this caller must see; the next one does not.
    await pending?.catch(() => undefined);
    pending ??= readAgain(day, now).finally(() => {
      pending = undefined;
    });
    return withTime((await pending).rest, now);
  };
}

function withTime(rest: Buffer, now: Date): Buffer {
  return Buffer.concat([Buffer.from(`{"timestamp":"${now.toISOString()}",`), rest]);
}
