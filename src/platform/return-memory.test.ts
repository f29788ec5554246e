import { expect, it } from 'vitest';
import { createMemoryCheck } from './return-memory.ts';

const MB = 1024 * 1024;
const reading = (residentMb: number, usedMb: number, utilization = 0.01) => ({
  residentBytes: residentMb * MB,
  usedBytes: usedMb * MB,
  utilization,
});

it.each([
  ['is due when a quiet process holds much more than it uses', reading(760, 110), true],
  ['is not due while requests are served', reading(760, 110, 0.3), false],
  ['is not due when the memory is in use', reading(760, 600), false],
  ['is not due after a usual start', reading(240, 90), false],
])('a collection %s', (_what, memory, due) => {
  expect(createMemoryCheck().isDue(memory)).toBe(due);
});

it('a collection that returned little is repeated only when the process has grown', () => {
  const check = createMemoryCheck();
  check.collected(500 * MB);
  expect(check.isDue(reading(600, 100))).toBe(false);
  expect(check.isDue(reading(640, 100))).toBe(true);
});
