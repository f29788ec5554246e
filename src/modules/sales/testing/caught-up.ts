import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from '../../../../test/harness/patience.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { eventsBehind } from '../../events/testing/events-behind.ts';

const LOOK_EVERY_MS = 20;

/** Resolves when every event has a position and is projected. */
export async function salesCaughtUp(sql: Sql): Promise<void> {
  // Twice: a test may recount a year of orders two times before the follower continues.
  const givenUpAtMs = performance.now() + 2 * patienceMs();
  for (;;) {
    const behind = await eventsBehind(sql, 'sales');
    if (behind === 0) return;
    if (performance.now() > givenUpAtMs) throw new Error(`the sales did not catch up: ${behind} events are left`);
    await delay(LOOK_EVERY_MS);
  }
}
