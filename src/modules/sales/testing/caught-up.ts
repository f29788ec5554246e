import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../../platform/database/index.ts';

/** A test may recount a year of orders twice before the follower continues, which takes long on a busy machine. */
const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 20;

/** Resolves when every event has a position and is projected. */
export async function salesCaughtUp(sql: Sql): Promise<void> {
  const givenUpAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await sql<{ waiting: number; last: number; position: number }[]>`
      select (select count(*) from order_outbox) as waiting, (select last_position from event_positions) as last,
             coalesce((select position from event_followers where name = 'sales'), 0) as position`;
    if (row !== undefined && row.waiting === 0 && row.position === row.last) return;
    if (performance.now() > givenUpAtMs) throw new Error(`the sales did not catch up: ${JSON.stringify(row)}`);
    await delay(LOOK_EVERY_MS);
  }
}
