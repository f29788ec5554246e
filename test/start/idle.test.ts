import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { patienceMs, testService } from '../harness/index.ts';

const POLLS = 20;
/** The cron monitor and the jobs of a minute that begins meanwhile. Loops that poll by themselves sent 320 in this time. */
const OTHER_STATEMENTS = 60;

afterEach(() => vi.restoreAllMocks());

test('an idle service sends one statement for all loops, and few others', async () => {
  const { platform } = await testService({}, { duePollMs: 250 });
  let polls = 0;
  platform.duePoll.add(
    (sql) => {
      polls += 1;
      return sql`false`;
    },
    () => undefined,
  );
  // What a start causes is over by then.
  await vi.waitFor(() => expect(polls).toBeGreaterThan(POLLS), { timeout: patienceMs() });

  const sent: string[] = [];
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    sent.push(typeof statement === 'string' ? statement : statement.text);
    return Reflect.apply(query, this, args);
  } as never);
  const before = polls;
  await vi.waitFor(() => expect(polls).toBeGreaterThanOrEqual(before + POLLS), { timeout: patienceMs() });

  const others = sent.filter((text) => !text.startsWith('select exists'));
  expect(sent.length - others.length).toBeLessThanOrEqual(polls - before + 1);
  expect(others.length, others.join('\n')).toBeLessThan(OTHER_STATEMENTS);
  expect(others.filter((text) => text.includes('identity_epoch'))).toEqual([]);
});
