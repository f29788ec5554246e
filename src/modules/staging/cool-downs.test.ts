import { expect, test } from 'vitest';
import { createCoolDowns } from './cool-downs.ts';

test('pauses twice as long after every failure in a row, half a minute at most, and not after a success', () => {
  let nowMs = 0;
  const coolDowns = createCoolDowns(() => nowMs);
  const pauseMs = () => {
    const fromMs = nowMs;
    while (coolDowns.isCooling('a')) nowMs += 1;
    return nowMs - fromMs;
  };
  const pauses = Array.from({ length: 10 }, () => {
    coolDowns.record('a', false);
    return pauseMs();
  });
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  coolDowns.record('a', false);
  expect(coolDowns.isCooling('b')).toBe(false);
  coolDowns.record('a', true);
  expect(coolDowns.isCooling('a')).toBe(false);
  coolDowns.record('a', false);
  expect(pauseMs()).toBe(250);
});

test('remembers a bounded number of installs', () => {
  const coolDowns = createCoolDowns(() => 0);
  for (let number = 0; number <= 5_000; number += 1) coolDowns.record(String(number), false);
  expect(coolDowns.isCooling('0')).toBe(false);
  expect(coolDowns.isCooling('5000')).toBe(true);
});
