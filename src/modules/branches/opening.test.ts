import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../test/harness/any-text.ts';
import { isKnownTimeZone, isOpenAt, isOpenAtMinute, localMinuteOfWeek, weekMinutes } from './opening.ts';
import { anyPeriod } from './testing/periods.ts';
import { MINUTES_PER_WEEK, parseWorkingHours, WEEK_DAYS, type WorkingPeriod } from './working-hours.ts';

const RIYADH = 'Asia/Riyadh';

function hours(input: unknown): WorkingPeriod[] {
  const result = parseWorkingHours(input);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.periods;
}

const anyPeriods = fc.array(anyPeriod, { maxLength: 8 });

const anyInstant = fc.date({
  min: new Date('1995-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const anyZone = fc.constantFrom(
  RIYADH,
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Africa/Casablanca',
);

describe('isOpenAt', () => {
  // 2026-03-01 is a Sunday; Riyadh is three hours ahead of UTC all year.
  it.each([
    ['before opening', { monday: { open: '09:00', close: '17:00' } }, '2026-03-02T08:59:59+03:00', false],
    ['at opening', { monday: { open: '09:00', close: '17:00' } }, '2026-03-02T09:00:00+03:00', true],
    ['in the last second', { monday: { open: '09:00', close: '17:00' } }, '2026-03-02T16:59:59+03:00', true],
    ['at closing', { monday: { open: '09:00', close: '17:00' } }, '2026-03-02T17:00:00+03:00', false],
    ['on another day', { monday: { open: '09:00', close: '17:00' } }, '2026-03-03T10:00:00+03:00', false],
    ['overnight, before midnight', { monday: { open: '22:00', close: '02:00' } }, '2026-03-02T23:59:59+03:00', true],
    ['overnight, at midnight', { monday: { open: '22:00', close: '02:00' } }, '2026-03-03T00:00:00+03:00', true],
    ['overnight, at closing', { monday: { open: '22:00', close: '02:00' } }, '2026-03-03T02:00:00+03:00', false],
    [
      'overnight, early on its own day',
      { monday: { open: '22:00', close: '02:00' } },
      '2026-03-02T01:00:00+03:00',
      false,
    ],
    [
      'overnight into a closed day',
      { monday: { open: '22:00', close: '02:00' }, tuesday: { closed: true } },
      '2026-03-03T01:00:00+03:00',
      true,
    ],
    ['over the end of the week', { saturday: { open: '20:00', close: '04:00' } }, '2026-03-01T03:59:00+03:00', true],
    ['after the end of the week', { saturday: { open: '20:00', close: '04:00' } }, '2026-03-01T04:00:00+03:00', false],
    ['until 24:00', { monday: { open: '18:00', close: '24:00' } }, '2026-03-02T23:59:00+03:00', true],
    ['past 24:00', { monday: { open: '18:00', close: '24:00' } }, '2026-03-03T00:00:00+03:00', false],
    ['whole day', { monday: { open: '00:00', close: '00:00' } }, '2026-03-02T23:59:59+03:00', true],
    ['whole day, next morning', { monday: { open: '00:00', close: '00:00' } }, '2026-03-03T00:00:00+03:00', false],
    [
      '24 hours from nine, next morning',
      { monday: { open: '09:00', close: '09:00' } },
      '2026-03-03T08:59:00+03:00',
      true,
    ],
    ['24 hours from nine, over', { monday: { open: '09:00', close: '09:00' } }, '2026-03-03T09:00:00+03:00', false],
    [
      'between split windows',
      {
        monday: {
          periods: [
            { open: '09:00', close: '12:00' },
            { open: '16:00', close: '20:00' },
          ],
        },
      },
      '2026-03-02T13:00:00+03:00',
      false,
    ],
    [
      'in the second split window',
      {
        monday: {
          periods: [
            { open: '09:00', close: '12:00' },
            { open: '16:00', close: '20:00' },
          ],
        },
      },
      '2026-03-02T16:00:00+03:00',
      true,
    ],
    ['on a closed day', { monday: { closed: true } }, '2026-03-02T10:00:00+03:00', false],
    ['with no hours', {}, '2026-03-02T10:00:00+03:00', false],
  ])('%s', (_name, input, instant, expected) => {
    expect(isOpenAt(hours(input), new Date(instant), RIYADH)).toBe(expected);
  });

  it('reads the weekday of the zone, not of UTC', () => {
    const monday = hours({ monday: { open: '00:00', close: '24:00' } });
    const sundayEveningInUtc = new Date('2026-03-01T22:00:00Z');
    expect(isOpenAt(monday, sundayEveningInUtc, RIYADH)).toBe(true);
    expect(isOpenAt(monday, sundayEveningInUtc, 'UTC')).toBe(false);
    expect(isOpenAt(monday, new Date('2026-03-02T23:00:00Z'), 'America/New_York')).toBe(true);
  });

  it('follows the wall clock when clocks go forward', () => {
    // New York skips 02:00-03:00 on Sunday 2026-03-08.
    const early = hours({ sunday: { open: '01:30', close: '03:30' } });
    expect(isOpenAt(early, new Date('2026-03-08T06:29:00Z'), 'America/New_York')).toBe(false);
    expect(isOpenAt(early, new Date('2026-03-08T06:59:00Z'), 'America/New_York')).toBe(true);
    expect(isOpenAt(early, new Date('2026-03-08T07:29:00Z'), 'America/New_York')).toBe(true);
    expect(isOpenAt(early, new Date('2026-03-08T07:30:00Z'), 'America/New_York')).toBe(false);
  });

  it('follows the wall clock when clocks go back', () => {
    // New York repeats 01:00-02:00 on Sunday 2026-11-01.
    const repeated = hours({ sunday: { open: '01:00', close: '02:00' } });
    expect(isOpenAt(repeated, new Date('2026-11-01T05:30:00Z'), 'America/New_York')).toBe(true);
    expect(isOpenAt(repeated, new Date('2026-11-01T06:30:00Z'), 'America/New_York')).toBe(true);
    expect(isOpenAt(repeated, new Date('2026-11-01T07:00:00Z'), 'America/New_York')).toBe(false);
  });

  it('agrees with weekMinutes and localMinuteOfWeek at any instant in any zone', () => {
    fc.assert(
      fc.property(anyPeriods, anyInstant, anyZone, (periods, instant, zone) => {
        const minute = localMinuteOfWeek(instant, zone);
        const inRanges = weekMinutes(periods).some(([start, end]) => start <= minute && minute < end);
        expect(isOpenAt(periods, instant, zone)).toBe(inRanges);
      }),
      { numRuns: 500 },
    );
  });

  it('says the same a week later where clocks never change', () => {
    fc.assert(
      fc.property(anyPeriods, anyInstant, (periods, instant) => {
        const weekLater = new Date(instant.getTime() + MINUTES_PER_WEEK * 60_000);
        expect(isOpenAt(periods, weekLater, RIYADH)).toBe(isOpenAt(periods, instant, RIYADH));
      }),
      { numRuns: 200 },
    );
  });
});

describe('weekMinutes', () => {
  it.each<[string, unknown, Array<[number, number]>]>([
    ['nothing', {}, []],
    ['one window', { sunday: { open: '00:00', close: '01:00' } }, [[0, 60]]],
    ['a window over midnight, whole', { sunday: { open: '23:00', close: '01:00' } }, [[1380, 1500]]],
    [
      'a window over the end of the week, cut',
      { saturday: { open: '23:00', close: '01:00' } },
      [
        [0, 60],
        [10_020, 10_080],
      ],
    ],
    ['a window to the very end, uncut', { saturday: { open: '23:00', close: '24:00' } }, [[10_020, 10_080]]],
    [
      'touching windows, as one',
      { monday: { open: '20:00', close: '24:00' }, tuesday: { open: '00:00', close: '01:00' } },
      [[2640, 2940]],
    ],
    [
      'a week without a gap',
      Object.fromEntries(WEEK_DAYS.map((day) => [day.toLowerCase(), { open: '06:30', close: '06:30' }])),
      [[0, 10_080]],
    ],
  ])('gives %s', (_name, input, ranges) => {
    expect(weekMinutes(hours(input))).toEqual(ranges);
  });

  it('gives sorted ranges with gaps between them inside the week, and every minute as isOpenAtMinute sees it', () => {
    fc.assert(
      fc.property(anyPeriods, (periods) => {
        let previousEnd = -1;
        const open = new Set<number>();
        for (const [start, end] of weekMinutes(periods)) {
          expect(start).toBeGreaterThan(previousEnd);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(MINUTES_PER_WEEK);
          for (let minute = start; minute < end; minute += 1) open.add(minute);
          previousEnd = end;
        }
        const disagreeing = Array.from({ length: MINUTES_PER_WEEK }, (_, minute) => minute).filter(
          (minute) => open.has(minute) !== isOpenAtMinute(periods, minute),
        );
        expect(disagreeing).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('localMinuteOfWeek', () => {
  it.each([
    ['2026-03-01T00:00:00Z', 'UTC', 0],
    ['2026-02-28T23:59:59Z', 'UTC', 10_079],
    ['2026-02-28T21:00:00Z', RIYADH, 0],
    ['2026-03-01T00:00:00Z', 'Asia/Kathmandu', 345],
    ['2026-03-01T00:00:00Z', 'Pacific/Kiritimati', 840],
    ['2026-03-01T00:00:00Z', 'Pacific/Pago_Pago', 10_080 - 660],
    ['2026-03-01T00:00:00Z', 'asia/riyadh', 180],
  ])('%s in %s', (instant, zone, minute) => {
    expect(localMinuteOfWeek(new Date(instant), zone)).toBe(minute);
  });

  it('is plain arithmetic where the offset is fixed', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const shifted = new Date(instant.getTime() + 3 * 3_600_000);
        const expected = shifted.getUTCDay() * 1440 + shifted.getUTCHours() * 60 + shifted.getUTCMinutes();
        expect(localMinuteOfWeek(instant, RIYADH)).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('throws for a date or zone that is none', () => {
    expect(() => localMinuteOfWeek(new Date(Number.NaN), RIYADH)).toThrow(RangeError);
    expect(() => localMinuteOfWeek(new Date(0), 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('isKnownTimeZone', () => {
  it.each([
    'Asia/Riyadh',
    'UTC',
    'utc',
    'asia/dubai',
    'America/Argentina/Ushuaia',
    'America/Port-au-Prince',
    'Etc/GMT+3',
  ])('takes %s', (name) => {
    expect(isKnownTimeZone(name)).toBe(true);
  });

  it.each([
    '',
    'Mars/Olympus',
    '+03:00',
    'GMT+3',
    'PST',
    'ACT',
    'Asia',
    'Asia/',
    ' Asia/Riyadh',
    'Asia/Riyadh\n',
    'Asia/Riyadh\0',
    `Asia/${'x'.repeat(80)}`,
  ])('refuses %j', (name) => {
    expect(isKnownTimeZone(name)).toBe(false);
  });

  it('takes every zone the runtime lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isKnownTimeZone(name))).toEqual([]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        expect(typeof isKnownTimeZone(name)).toBe('boolean');
      }),
    );
  });
});
