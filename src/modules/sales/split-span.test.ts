import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitSpan } from './sql/split-span.ts';

const DAY_MS = 86_400_000;
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe('splitSpan', () => {
  test.each([
    ['2026-11-01', '2026-11-16', '2026-11-01', '2026-11-01', '2026-10-31', -1],
    ['2026-11-10', '2026-11-16', '2026-12-01', '2026-11-10', '2026-11-16', 1],
    ['2025-11-17', '2026-11-16', '2025-12-01', '2025-11-17', '2025-11-30', 1],
    ['2026-10-05', '2026-11-16', '2026-10-01', '2026-10-01', '2026-10-04', -1],
  ])('splits %s to %s', (from, to, monthsFrom, daysFrom, daysTo, sign) => {
    expect(splitSpan({ from, to })).toEqual({ monthsFrom, days: { from: daysFrom, to: daysTo }, sign });
  });

  test('contains every day of the span once and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 400 }), (start, length) => {
        const [from, to] = [isoDay(start * DAY_MS), isoDay((start + length) * DAY_MS)];
        const { monthsFrom, days, sign } = splitSpan({ from, to });
        // Whatever is sold on a day up to the last one, which is how far the months go.
        for (let number = start - 40; number <= start + length; number += 1) {
          const day = isoDay(number * DAY_MS);
          const byMonth = `${day.slice(0, 8)}01` >= monthsFrom ? 1 : 0;
          const byDay = day >= days.from && day <= days.to ? sign : 0;
          expect([day, byMonth + byDay]).toEqual([day, day >= from ? 1 : 0]);
        }
      }),
    );
  });
});
