import { expect, test } from 'vitest';
import { call, testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newOrder } from '../orders/testing/new-order.ts';
import { eventsBehind } from './testing/events-behind.ts';

const WEEK_MS = 7 * 86_400_000;

/** Every week begins with a new table for the events and one for the deliveries, made while followers read and write. */
test('followers continue across weekly partitions', async () => {
  const clock = movableClock(new Date());
  const service = await testService({}, { clock });
  const { owner } = await testOrganization(service.sql);
  const place = async () => {
    const { status } = await call(service.baseUrl, 'POST /orders', { token: owner.token, body: newOrder() });
    expect(status).toBe(201);
  };
  for (let week = 1; week <= 60; week += 1) {
    // The week turns while events of the last one are still on their way.
    await Promise.all([place(), place().then(() => clock.advanceMs(WEEK_MS)), place(), place()]);
  }
  await expect.poll(() => eventsBehind(service.sql)).toBe(0);
});
