import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Sql } from '../database/index.ts';
import type { DuePoll, IsDue } from './due-work.ts';
import { createSteadyLoop } from './steady-loop.ts';

/** Bounds the delay of a retry, and of work whose notification was lost. */
export const DUE_POLL_MS = 2_000;

export function createDuePoll(
  { sql, clock, log }: { sql: Sql; clock: Clock; log: FastifyBaseLogger },
  everyMs: number = DUE_POLL_MS,
): DuePoll {
  const loops = new Set<{ isDue: IsDue; wake(): void }>();

  async function step(): Promise<boolean> {
    const asked = [...loops];
    const [first, ...others] = asked;
    if (first === undefined) return false;
    const now = clock.now();
    let conditions = sql`${first.isDue(sql, now)}`;
    for (const { isDue } of others) conditions = sql`${conditions}, ${isDue(sql, now)}`;
    const [answers = []] = await sql<boolean[][]>`select ${conditions}`.asArrays();
    for (const [index, { wake }] of asked.entries()) if (answers[index]) wake();
    return false;
  }

  const loop = createSteadyLoop({ name: 'due poll', log, everyMs, step });
  return {
    add(isDue, wake) {
      const added = { isDue, wake };
      loops.add(added);
      return () => loops.delete(added);
    },
    start: loop.start,
    stop: loop.stop,
  };
}
