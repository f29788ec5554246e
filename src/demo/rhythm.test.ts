import { describe, expect, test } from 'vitest';
import { seededRandom } from './random.ts';
import { demandOf, hoursOf, placementTimes } from './rhythm.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const DAY_MS = 86_400_000;
const noon = (day: string) => new Date(`${day}T09:00:00Z`);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('the demand of a day', () => {
  test.each([
    // A Thursday and the Monday of the same week; a payday and the same weekday two weeks earlier.
    ['2026-10-15', '2026-10-12'],
    ['2026-10-27', '2026-10-13'],
  ])('%s is busier than %s', (busy, quiet) => {
    for (const kind of ['pharmacy', 'grocery'] as const) {
      expect(demandOf(noon(busy), kind)).toBeGreaterThan(1.1 * demandOf(noon(quiet), kind));
    }
  });

  test('follows the Hijri calendar: Ramadan 1447 began on 18 February 2026', () => {
    // Wednesdays, one each in Rajab, at the end of Shaaban, in Ramadan, and the last of them on the feast.
    const [usual, before, during] = ['2026-01-21', '2026-02-11', '2026-02-25'].map((day) =>
      demandOf(noon(day), 'grocery'),
    );
    expect(before).toBeGreaterThan(1.3 * (usual ?? 0));
    expect(during).toBeGreaterThan(1.2 * (usual ?? 0));
    expect(demandOf(noon('2026-03-21'), 'grocery')).toBeLessThan(demandOf(noon('2026-01-17'), 'grocery'));
  });
});

describe('the hours of a day', () => {
  test('peak in the evening, on Fridays not before noon, and in Ramadan at night', () => {
    for (const day of ['2026-10-12', '2026-10-16']) {
      const hours = hoursOf(noon(day));
      expect(hours).toHaveLength(24);
      expect(sum(hours.slice(18, 24))).toBeGreaterThan(2 * sum(hours.slice(6, 12)));
    }
    const ramadan = hoursOf(noon('2026-02-25'));
    expect(sum(ramadan.slice(0, 3))).toBeGreaterThan(sum(ramadan.slice(8, 14)));
  });
});

describe('the times of a year', () => {
  const times = placementTimes('grocery', 10_000, 365, NOW, seededRandom(1));

  test('are about as many as requested, in order, up to the end of today', () => {
    expect(times.length).toBeGreaterThan(9_700);
    expect(times.length).toBeLessThan(10_300);
    expect(times).toEqual([...times].sort((one, other) => one.getTime() - other.getTime()));
    expect(times.at(-1)?.getTime()).toBeLessThan(new Date('2026-11-15T21:00:00Z').getTime());
    expect(NOW.getTime() - (times[0]?.getTime() ?? 0)).toBeGreaterThan(363 * DAY_MS);
  });

  test('are the same for the same seed', () => {
    expect(placementTimes('grocery', 10_000, 365, NOW, seededRandom(1))).toEqual(times);
  });

  test('include today', () => {
    const today = times.filter((time) => time >= new Date('2026-11-14T21:00:00Z'));
    expect(today.length).toBeGreaterThan(5);
  });
});
