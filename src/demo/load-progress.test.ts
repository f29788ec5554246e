import { expect, test } from 'vitest';
import { showLoadProgress } from './load-progress.ts';

function outputOf(isTTY: boolean, atMs: number[], orders: number[]): string {
  let text = '';
  const output = { isTTY, write: (part: string) => (text += part) };
  const progress = showLoadProgress(output, () => atMs.shift() ?? 0);
  for (const some of orders) progress.show({ orders: some, ofOrders: 1_200 });
  progress.end();
  return text;
}

test('a terminal shows a bar with rate and remaining time, in place', () => {
  expect(outputOf(true, [0, 50, 500, 1_000], [100, 200, 600, 1_200])).toBe(
    '\r[###############---------------] Loading the demo: 600 of 1,200 orders, 1,200 a second, 1 s left\u001b[K' +
      '\r[##############################] Loading the demo: 1,200 of 1,200 orders, 1,200 a second, 0 s left\u001b[K\n',
  );
});

test('other outputs get a line every five seconds and one at the end', () => {
  expect(outputOf(false, [0, 1_000, 6_000, 12_000], [100, 200, 600, 1_200])).toBe(
    'Loading the demo: 600 of 1,200 orders, 100 a second, 6 s left\n' +
      'Loading the demo: 1,200 of 1,200 orders, 100 a second, 0 s left\n',
  );
});
