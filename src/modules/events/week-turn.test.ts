import { expect, test } from 'vitest';
import { call, testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newOrder } from '../orders/testing/new-order.ts';

const WEEK_MS = 7 * 86_400_000;

/** Every week begins with a new table for the events and one for the deliveries, made while followers read and write. */
test('followers go on over the turn of many weeks', async () => {
  const clock = movableClock(new Date());
  const service = await testService({}, { clock });
  const { owner } = await testOrganization(service.sql);
  const behind = async () => {
    const [row] = await service.sql<{ behind: number }[]>`
      select (select count(*) from order_outbox) + sum(e.last_position - f.position) as behind
      from event_positions e cross join event_followers f`;
    return row?.behind;
  };
  for (let week = 1; week <= 25; week += 1) {
    clock.advanceMs(WEEK_MS);
    const placed = Array.from({ length: 4 }, () =>
      call(service.baseUrl, 'POST /orders', { token: owner.token, body: newOrder() }),
    );
    for (const { status } of await Promise.all(placed)) expect(status).toBe(201);
    await expect.poll(behind, { timeout: 15_000, interval: 5 }).toBe(0);
  }
});
