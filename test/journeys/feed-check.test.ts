import { expect, it } from 'vitest';
import { checkFeed } from '../chaos/check-feed.ts';
import { testOrganization, testService } from '../harness/index.ts';

// `npm run chaos feed` runs the same check over 100,000 events with a transaction held open for 30 s.
it('shows every reader every event once and in order while writers dawdle', async () => {
  const service = await testService({ DATABASE_POOL_SIZE: '24' });
  const { id, owner } = await testOrganization(service.sql);
  const result = await checkFeed({
    baseUrl: service.baseUrl,
    token: owner.token,
    organizationId: id,
    sql: service.platform.sql,
    ordering: service.service.ordering,
    events: 3_000,
    writers: 8,
    readers: 3,
    longestPauseMs: 15,
    holdMs: 2_000,
  });

  expect(result.eventsWritten).toBe(3_001);
  expect(result.eventsRead).toBe(3 * 3_001);
  expect(result).toMatchObject({ missing: 0, doubled: 0, outOfOrder: 0 });
  expect(result.readDuringHold).toBeGreaterThan(0);
});
