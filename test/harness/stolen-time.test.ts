import { expect, test } from 'vitest';
import { machineBack, readCores } from './stolen-time.ts';

test('stolen time is the eighth figure of all cores together', () => {
  const ticks = 'cpu  1660500 100 386500 847536 35472 0 16141 949610 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n';
  expect(readCores(() => ticks)).toEqual({ worked: 20_471, stolen: 9496.1 });
});

test('a system that does not tell has stolen nothing', async () => {
  expect(readCores(() => '')).toEqual({ worked: 0, stolen: 0 });
  await machineBack(() => readCores(() => ''), 1);
});

test('a machine is back when the host leaves it three quarters of what it asks for', async () => {
  const seen = [
    { worked: 0, stolen: 0 },
    { worked: 1, stolen: 9 },
    { worked: 3, stolen: 10 },
    { worked: 7, stolen: 11 },
    { worked: 7, stolen: 99 },
  ];
  let looks = 0;
  await machineBack(() => seen[looks++] ?? { worked: 0, stolen: 0 }, 1);
  expect(looks).toBe(4);
});
