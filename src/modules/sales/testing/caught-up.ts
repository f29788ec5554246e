import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from '../../../../test/harness/patience.ts';
import type { Sql } from '../../../platform/database/index.ts';

const LOOK_EVERY_MS = 20;

/** Resolves when every event has a position and is projected. */
export async function salesCaughtUp(sql: Sql): Promise<void> {
  // Twice: a test may recount a year of orders two times before the follower continues.
  const givenUpAtMs = performance.now() + 2 * patienceMs();
  for (;;) {
    const [row] = await sql<{ waiting: number; last: number; position: number }[]>`
      select (select count(*) from order_outbox) as waiting, (select last_position from event_positions) as last,
             coalesce((select position from event_followers where name = 'sales'), 0) as position`;
    if (row !== undefined && row.waiting === 0 && row.position === row.last) return;
    if (performance.now() > givenUpAtMs) throw new Error(`the sales did not catch up: ${JSON.stringify(row)}`);
    await delay(LOOK_EVERY_MS);
  }
}
