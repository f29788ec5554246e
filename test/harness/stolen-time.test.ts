import { expect, test } from 'vitest';
import { stolenSeconds } from './stolen-time.ts';

test('stolen time is the eighth figure of all cores together', () => {
  const ticks = 'cpu  1660540 172737 386549 847536 35472 0 16141 949610 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n';
  expect(stolenSeconds(() => ticks)).toBe(9496.1);
});

test('a system that does not tell has stolen nothing', () => {
  expect(stolenSeconds(() => '')).toBe(0);
});
