import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { movableClock } from '../clock.ts';
import { createDuePoll } from './due-poll.ts';
import type { DuePoll } from './due-work.ts';
import { createSteadyLoop } from './steady-loop.ts';

const { sql } = await testDatabase();
const log = pino({ level: 'silent' });
const START = new Date('2026-03-01T10:00:00Z');
const HOUR_MS = 3_600_000;
let opened: DuePoll | undefined;

afterEach(() => opened?.stop());

function openDuePoll() {
  const clock = movableClock(START);
  opened = createDuePoll({ sql, clock, log }, 10);
  return { duePoll: opened, clock };
}

test('wakes each loop whose condition holds, and no other', async () => {
  const { duePoll, clock } = openDuePoll();
  const due = vi.fn();
  const later = vi.fn();
  duePoll.add((queryable) => queryable`exists (select from pg_class)`, due);
  duePoll.add((queryable, now) => queryable`${new Date(START.getTime() + HOUR_MS)} <= ${now}`, later);
  duePoll.start();
  await vi.waitFor(() => expect(due.mock.calls.length).toBeGreaterThan(2));
  expect(later).not.toHaveBeenCalled();
  clock.advanceMs(HOUR_MS);
  await vi.waitFor(() => expect(later).toHaveBeenCalled());
});

test('does not ask for a loop that has stopped', async () => {
  const { duePoll } = openDuePoll();
  const isDue = vi.fn((queryable: typeof sql) => queryable`false`);
  const polls = vi.fn();
  const loop = createSteadyLoop({
    name: 'stopped',
    log,
    everyMs: HOUR_MS,
    due: { duePoll, isDue: () => isDue(sql) },
    step: async () => false,
  });
  loop.start();
  duePoll.add((queryable) => queryable`true`, polls);
  duePoll.start();
  await vi.waitFor(() => expect(isDue).toHaveBeenCalled());
  await loop.stop();
  const asked = isDue.mock.calls.length;
  const polled = polls.mock.calls.length;
  await vi.waitFor(() => expect(polls.mock.calls.length).toBeGreaterThan(polled + 2));
  expect(isDue.mock.calls.length).toBe(asked);
});

test('continues after a statement that failed', async () => {
  const { duePoll } = openDuePoll();
  const due = vi.fn();
  let fails = true;
  duePoll.add((queryable) => (fails ? queryable`1 / 0 = 1` : queryable`true`), due);
  duePoll.start();
  await vi.waitFor(() => {
    fails = false;
    expect(due).toHaveBeenCalled();
  });
});

test('a loop runs its step when it is due, although it was not notified', async () => {
  const { duePoll, clock } = openDuePoll();
  const step = vi.fn(async () => false);
  const isDue = (queryable: typeof sql, now: Date) => queryable`${START} < ${now}`;
  const loop = createSteadyLoop({
    name: 'due',
    log,
    everyMs: HOUR_MS,
    due: { duePoll, isDue: (_, now) => isDue(sql, now) },
    step,
  });
  loop.start();
  duePoll.start();
  await vi.waitFor(() => expect(step).toHaveBeenCalledTimes(1));
  clock.advanceMs(1);
  await vi.waitFor(() => expect(step.mock.calls.length).toBeGreaterThan(1));
  await loop.stop();
});
