import { describe, expect, test } from 'vitest';
import { localClock } from '../opening.ts';
import { parseWorkingHours } from '../working-hours.ts';
import { isOpenOn, parseClosedDays } from './closed-days.ts';

const hours = (input: unknown) => {
  const parsed = parseWorkingHours(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.periods;
};
const everyDay = (open: string, close: string) =>
  hours(
    Object.fromEntries(
      ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].map((day) => [
        day,
        { open, close },
      ]),
    ),
  );
const openAt = (periods: ReturnType<typeof hours>, closedDays: string, instant: string, zone = 'Asia/Riyadh') =>
  isOpenOn(periods, closedDays, localClock(new Date(instant), zone));

describe('isOpenOn', () => {
  // 23 September 2027 is a Thursday.
  const NATIONAL_DAY = '{[2027-09-23,2027-09-24)}';
  test.each([
    ['2027-09-22T23:59:00+03:00', true],
    ['2027-09-23T09:00:00+03:00', false],
    ['2027-09-23T23:59:00+03:00', false],
    ['2027-09-24T09:00:00+03:00', true],
  ])('closes a day of hours from 09:00 to midnight: %s is %s', (instant, expected) => {
    expect(openAt(everyDay('09:00', '24:00'), NATIONAL_DAY, instant)).toBe(expected);
  });

  test.each([
    ['the window of the day before runs on after midnight', '2027-09-23T01:59:00+03:00', true],
    ['the day itself', '2027-09-23T20:00:00+03:00', false],
    ['its window after midnight', '2027-09-24T01:00:00+03:00', false],
    ['the next window', '2027-09-24T20:00:00+03:00', true],
  ])('counts a window past midnight to the day on which it opens: %s', (_name, instant, expected) => {
    expect(openAt(everyDay('20:00', '02:00'), NATIONAL_DAY, instant)).toBe(expected);
  });

  test('closes a window past the end of the week, and one of 24 hours', () => {
    // A Saturday.
    const saturday = '{[2027-09-25,2027-09-26)}';
    expect(openAt(hours({ saturday: { open: '22:00', close: '03:00' } }), saturday, '2027-09-26T01:00:00+03:00')).toBe(
      false,
    );
    expect(openAt(everyDay('06:00', '06:00'), saturday, '2027-09-26T05:59:00+03:00')).toBe(false);
    expect(openAt(everyDay('06:00', '06:00'), saturday, '2027-09-25T05:59:00+03:00')).toBe(true);
  });

  test('goes by the clock of the zone', () => {
    const instant = '2027-09-23T21:30:00Z';
    expect(openAt(everyDay('00:00', '24:00'), NATIONAL_DAY, instant)).toBe(true);
    expect(openAt(everyDay('00:00', '24:00'), NATIONAL_DAY, instant, 'UTC')).toBe(false);
  });

  test('knows several closures, the first and the last day included', () => {
    const closed = '{[2027-03-09,2027-03-13),[2027-09-23,2027-09-24)}';
    expect(parseClosedDays(closed)).toEqual([
      ['2027-03-09', '2027-03-13'],
      ['2027-09-23', '2027-09-24'],
    ]);
    const isOpenOnDay = (day: string) => openAt(everyDay('09:00', '17:00'), closed, `${day}T12:00:00+03:00`);
    expect(['2027-03-08', '2027-03-09', '2027-03-12', '2027-03-13'].map(isOpenOnDay)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(isOpenOn([], closed, localClock(new Date(), 'UTC'))).toBe(false);
  });
});
