import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDay, startOfLocalDay } from './local-day.ts';

describe('the local day', () => {
  test.each([
    ['2026-11-14T20:59:59.999Z', 'Asia/Riyadh', '2026-11-14'],
    ['2026-11-14T21:00:00.000Z', 'Asia/Riyadh', '2026-11-15'],
    ['2026-11-15T04:59:59.000Z', 'America/New_York', '2026-11-14'],
    ['2026-11-15T00:00:00.000Z', 'UTC', '2026-11-15'],
    ['2026-12-31T10:00:00.000Z', 'Pacific/Kiritimati', '2027-01-01'],
  ])('%s in %s is %s', (instant, zone, day) => {
    expect(localDay(new Date(instant), zone)).toBe(day);
  });
});

describe('the start of the local day', () => {
  test.each([
    ['2026-11-15T08:00:00Z', 'Asia/Riyadh', '2026-11-14T21:00:00.000Z'],
    ['2026-11-15T08:00:00Z', 'Asia/Kathmandu', '2026-11-14T18:15:00.000Z'],
    ['2026-11-14T21:00:00Z', 'Asia/Riyadh', '2026-11-14T21:00:00.000Z'],
    // Clocks jump from 00:00 to 01:00: the day begins where they land.
    ['2026-04-24T12:00:00Z', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // A day of 25 hours, seen from its last one.
    ['2026-11-02T04:30:00Z', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ])('of %s in %s is %s', (instant, zone, start) => {
    expect(startOfLocalDay(new Date(instant), zone).toISOString()).toBe(start);
  });

  test('is in the same day, and a minute earlier is not', () => {
    const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2050-01-01'), noInvalidDate: true });
    const zones = fc.constantFrom('Asia/Riyadh', 'Asia/Dubai', 'Africa/Cairo', 'America/New_York', 'Asia/Kathmandu');
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const start = startOfLocalDay(instant, zone);
        expect(start.getTime()).toBeLessThanOrEqual(instant.getTime());
        expect(localDay(start, zone)).toBe(localDay(instant, zone));
        expect(localDay(new Date(start.getTime() - 60_000), zone)).not.toBe(localDay(instant, zone));
      }),
    );
  });
});
