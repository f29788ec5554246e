import { expect, it } from 'vitest';
import { formatProgress, formatSeconds, showMigrations } from './show-migrations.ts';

const RUNNING = { state: 'running', name: '0041_totals.ts', number: 2, count: 3 } as const;
const ROWS = { step: 'orders', done: 450_000, total: 1_000_000, perSecond: 37_000, remainingMs: 14_864 };

function shownBy(isTTY: boolean, ...progress: Parameters<ReturnType<typeof showMigrations>>[0][]): string {
  let shown = '';
  const show = showMigrations({ isTTY, columns: 30, write: (text) => (shown += text) });
  for (const one of progress) show(one);
  return shown;
}

it('shows rows, share, rate and remaining time', () => {
  expect(formatProgress({ ...RUNNING, elapsedMs: 12_162, ...ROWS })).toBe(
    '2/3 0041_totals.ts  12 s  orders  450,000 of 1,000,000 (45 %)  37,000/s  15 s left',
  );
  expect(formatProgress({ ...RUNNING, state: 'waiting', name: '', elapsedMs: 900 })).toBe(
    'waiting for another process that is migrating  0.9 s',
  );
});

it('redraws one line on a terminal, cut to its width', () => {
  expect(
    shownBy(true, { ...RUNNING, elapsedMs: 1_000, ...ROWS }, { ...RUNNING, state: 'applied', elapsedMs: 2_000 }),
  ).toBe('\r\u001b[2K2/3 0041_totals.ts  1.0 s  or\r\u001b[2K2/3 0041_totals.ts  2.0 s\n');
});

it('prints a line every 10 seconds elsewhere', () => {
  const seconds = [1, 9.5, 10.2, 11, 20.3].map((second) => ({ ...RUNNING, elapsedMs: second * 1_000 }));
  expect(shownBy(false, ...seconds, { ...RUNNING, state: 'applied', elapsedMs: 21_000 })).toBe(
    '2/3 0041_totals.ts  10 s\n2/3 0041_totals.ts  20 s\n2/3 0041_totals.ts  21 s\n',
  );
});

it('writes long times in minutes and hours', () => {
  expect([950, 61_000, 1_800_000, 9_000_000].map(formatSeconds)).toEqual(['0.9 s', '61 s', '30 min', '2 h 30 min']);
});
