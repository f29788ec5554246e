import { describe, expect, it } from 'vitest';
import { parseWorkingHours, periodSpan, WEEK_DAYS, type WeekDay, type WorkingPeriod } from './working-hours.ts';

/** `period('Monday', '09:00', '17:00')`, for readable tables. */
function period(weekDay: WeekDay, open: string, close: string): WorkingPeriod {
  const [openHour = 0, openMinute = 0] = open.split(':').map(Number);
  const [closeHour = 0, closeMinute = 0] = close.split(':').map(Number);
  return {
    WeekDay: weekDay,
    OpenHour: openHour,
    OpenMinute: openMinute,
    CloseHour: closeHour,
    CloseMinute: closeMinute,
  };
}

function errorsOf(input: unknown, field?: string): Record<string, string> {
  const result = parseWorkingHours(input, field);
  return result.ok ? {} : result.errors;
}

describe('weekday object', () => {
  it.each<[string, unknown, WorkingPeriod[]]>([
    ['one window', { monday: { open: '09:00', close: '17:30' } }, [period('Monday', '09:00', '17:30')]],
    [
      'split windows, put in order',
      {
        friday: {
          periods: [
            { open: '16:00', close: '23:00' },
            { open: '08:00', close: '11:30' },
          ],
        },
      },
      [period('Friday', '08:00', '11:30'), period('Friday', '16:00', '23:00')],
    ],
    [
      'a closed day',
      { friday: { closed: true }, sunday: { open: '09:00', close: '10:00' } },
      [period('Sunday', '09:00', '10:00')],
    ],
    [
      'closed: false beside times',
      { monday: { closed: false, open: '09:00', close: '10:00' } },
      [period('Monday', '09:00', '10:00')],
    ],
    [
      'null for unused members',
      { monday: { open: '09:00', close: '10:00', periods: null, closed: null } },
      [period('Monday', '09:00', '10:00')],
    ],
    ['closed with null times', { monday: { closed: true, open: null, close: null } }, []],
    [
      'unknown members of a day',
      { monday: { open: '09:00', close: '10:00', note: 'x' } },
      [period('Monday', '09:00', '10:00')],
    ],
    ['an empty list of windows', { monday: { periods: [] } }, []],
    ['no day at all', {}, []],
    [
      'days in any order',
      {
        saturday: { open: '10:00', close: '12:00' },
        sunday: { open: '10:00', close: '12:00' },
        wednesday: { open: '10:00', close: '12:00' },
      },
      [period('Sunday', '10:00', '12:00'), period('Wednesday', '10:00', '12:00'), period('Saturday', '10:00', '12:00')],
    ],
  ])('reads %s', (_name, input, periods) => {
    expect(parseWorkingHours(input)).toEqual({ ok: true, periods });
  });

  const times = '.monday.';
  it.each<[string, unknown, string[]]>([
    ['one digit hours', { monday: { open: '9:00', close: '17:00' } }, [`${times}open`]],
    ['hour 24 as an open', { monday: { open: '24:00', close: '17:00' } }, [`${times}open`]],
    ['a close past 24:00', { monday: { open: '09:00', close: '24:01' } }, [`${times}close`]],
    ['hour 25', { monday: { open: '09:00', close: '25:00' } }, [`${times}close`]],
    ['minute 60', { monday: { open: '09:60', close: '17:00' } }, [`${times}open`]],
    ['seconds', { monday: { open: '09:00:00', close: '17:00' } }, [`${times}open`]],
    ['a line end', { monday: { open: '09:00\n', close: '17:00' } }, [`${times}open`]],
    ['Arabic-Indic digits', { monday: { open: '٠٩:٠٠', close: '17:00' } }, [`${times}open`]],
    ['times that are numbers', { monday: { open: 9, close: 17 } }, [`${times}open`, `${times}close`]],
    ['an open alone', { monday: { open: '09:00' } }, [`${times}close`]],
    ['a close alone', { monday: { close: '09:00' } }, [`${times}open`]],
    ['an unknown weekday', { funday: { closed: true } }, ['.funday']],
    ['a capitalised weekday', { Monday: { closed: true } }, ['.Monday']],
    ['a weekday name that is no plain word', { 'a\0b': {} }, ['']],
    ['a very long weekday name', { ['x'.repeat(100_000)]: {} }, ['']],
    ['an empty day', { monday: {} }, ['.monday']],
    ['a day that only says closed: false', { monday: { closed: false } }, ['.monday']],
    ['a null day', { monday: null }, ['.monday']],
    ['a day as text', { monday: '09:00-17:00' }, ['.monday']],
    ['a day as an array', { monday: [{ open: '09:00', close: '17:00' }] }, ['.monday']],
    ['closed as text', { monday: { closed: 'yes' } }, [`${times}closed`]],
    ['closed with times', { monday: { closed: true, open: '09:00', close: '17:00' } }, [`${times}closed`]],
    ['closed with windows', { monday: { closed: true, periods: [] } }, [`${times}closed`]],
    ['windows with times', { monday: { open: '09:00', close: '17:00', periods: [] } }, [`${times}periods`]],
    ['windows that are no array', { monday: { periods: { open: '09:00' } } }, [`${times}periods`]],
    ['a window that is no object', { monday: { periods: ['09:00'] } }, [`${times}periods.0`]],
    ['a null window', { monday: { periods: [null] } }, [`${times}periods.0`]],
    [
      'a bad time in a window',
      { monday: { periods: [{ open: '09:00', close: 'noon' }] } },
      [`${times}periods.0.close`],
    ],
    [
      'faults on several days together',
      { monday: { open: 'x', close: '10:00' }, someday: {}, friday: { closed: 1 } },
      [`${times}open`, '.someday', '.friday.closed'],
    ],
  ])('refuses %s', (_name, input, suffixes) => {
    expect(Object.keys(errorsOf(input))).toEqual(suffixes.map((suffix) => `working_hours${suffix}`));
  });

  it('says what is missing and what is wrong', () => {
    expect(errorsOf({ monday: { open: '7pm' } })).toEqual({
      'working_hours.monday.open': 'must be a time as HH:MM, 00:00 to 23:59',
      'working_hours.monday.close': 'is required',
    });
  });
});

describe('canonical array', () => {
  it('reads, sorts by weekday and open time, and drops unknown members', () => {
    const input = [
      { ...period('Saturday', '09:00', '12:00'), note: 'x' },
      period('Sunday', '16:00', '20:00'),
      period('Sunday', '08:00', '12:00'),
    ];
    expect(parseWorkingHours(input)).toEqual({
      ok: true,
      periods: [
        period('Sunday', '08:00', '12:00'),
        period('Sunday', '16:00', '20:00'),
        period('Saturday', '09:00', '12:00'),
      ],
    });
  });

  it('reads an empty array as no opening at all', () => {
    expect(parseWorkingHours([])).toEqual({ ok: true, periods: [] });
  });

  it('writes zero for the -0 of JSON', () => {
    const result = parseWorkingHours(
      JSON.parse('[{"WeekDay":"Monday","OpenHour":-0,"OpenMinute":-0,"CloseHour":9,"CloseMinute":-0}]'),
    );
    expect(result).toEqual({ ok: true, periods: [period('Monday', '00:00', '09:00')] });
  });

  const good = period('Monday', '09:00', '17:00');
  it.each<[string, unknown, string[]]>([
    ['a lowercase weekday', { ...good, WeekDay: 'monday' }, ['.0.WeekDay']],
    ['a weekday number', { ...good, WeekDay: 1 }, ['.0.WeekDay']],
    ['hour 24 as an open', { ...good, OpenHour: 24 }, ['.0.OpenHour']],
    ['a negative hour', { ...good, OpenHour: -1 }, ['.0.OpenHour']],
    ['minute 60', { ...good, CloseMinute: 60 }, ['.0.CloseMinute']],
    ['hour 25', { ...good, CloseHour: 25 }, ['.0.CloseHour']],
    ['a minute past 24:00', { ...good, CloseHour: 24, CloseMinute: 1 }, ['.0.CloseMinute']],
    ['half an hour', { ...good, OpenHour: 9.5 }, ['.0.OpenHour']],
    ['numbers as text', { ...good, OpenHour: '9' }, ['.0.OpenHour']],
    ['numbers past counting', { ...good, OpenMinute: Number.POSITIVE_INFINITY }, ['.0.OpenMinute']],
    ['a missing member', { ...good, OpenMinute: undefined }, ['.0.OpenMinute']],
    [
      'an element in the other style',
      { open: '09:00', close: '17:00' },
      ['.0.WeekDay', '.0.OpenHour', '.0.OpenMinute', '.0.CloseHour', '.0.CloseMinute'],
    ],
    ['null', null, ['.0']],
    ['an array', [], ['.0']],
  ])('refuses %s', (_name, element, suffixes) => {
    expect(Object.keys(errorsOf([element]))).toEqual(suffixes.map((suffix) => `working_hours${suffix}`));
  });

  it('points at the element at fault, under the field the caller names', () => {
    const errors = errorsOf(
      [good, period('Tuesday', '09:00', '17:00'), { ...good, OpenHour: 99 }],
      'branches.4.working_hours',
    );
    expect(errors).toEqual({ 'branches.4.working_hours.2.OpenHour': 'must be an integer from 0 to 23' });
  });
});

it.each([null, undefined, 'always', 24, true])('refuses %j in place of either style', (input) => {
  expect(errorsOf(input)).toEqual({ working_hours: 'must be a weekday object or an array of periods' });
});

describe('length of a window', () => {
  it.each([
    ['09:00', '17:00', 8 * 60],
    ['22:00', '02:00', 4 * 60],
    ['09:00', '00:00', 15 * 60],
    ['09:00', '24:00', 15 * 60],
    ['00:00', '24:00', 24 * 60],
    ['00:00', '00:00', 24 * 60],
    ['09:00', '09:00', 24 * 60],
    ['09:00', '08:59', 24 * 60 - 1],
    ['23:59', '00:00', 1],
  ])('%s to %s', (open, close, lengthMinutes) => {
    expect(periodSpan(period('Tuesday', open, close)).lengthMinutes).toBe(lengthMinutes);
  });
});

describe('overlaps', () => {
  it.each<[string, WorkingPeriod[], Record<string, string>]>([
    [
      'in one day',
      [period('Monday', '09:00', '12:00'), period('Monday', '11:59', '13:00')],
      { 'working_hours.1': 'overlaps Monday 09:00-12:00' },
    ],
    [
      'the same window twice',
      [period('Monday', '09:00', '12:00'), period('Monday', '09:00', '12:00')],
      { 'working_hours.1': 'overlaps Monday 09:00-12:00' },
    ],
    [
      'two windows inside a long one',
      [period('Monday', '08:00', '20:00'), period('Monday', '09:00', '10:00'), period('Monday', '11:00', '12:00')],
      { 'working_hours.1': 'overlaps Monday 08:00-20:00', 'working_hours.2': 'overlaps Monday 08:00-20:00' },
    ],
    [
      'across midnight',
      [period('Monday', '22:00', '02:00'), period('Tuesday', '01:00', '03:00')],
      { 'working_hours.1': 'overlaps Monday 22:00-02:00' },
    ],
    [
      'across the end of the week',
      [period('Sunday', '01:00', '03:00'), period('Saturday', '22:00', '02:00')],
      { 'working_hours.0': 'overlaps Saturday 22:00-02:00' },
    ],
    [
      'from a day that runs 24 hours',
      [period('Thursday', '09:00', '09:00'), period('Friday', '08:00', '12:00')],
      { 'working_hours.1': 'overlaps Thursday 09:00-09:00' },
    ],
    [
      'from Saturday run for 24 hours into Sunday',
      [period('Saturday', '12:00', '12:00'), period('Sunday', '11:59', '13:00')],
      { 'working_hours.1': 'overlaps Saturday 12:00-12:00' },
    ],
  ])('are refused %s', (_name, input, errors) => {
    expect(errorsOf(input)).toEqual(errors);
  });

  it.each<[string, WorkingPeriod[]]>([
    ['in one day', [period('Monday', '09:00', '12:00'), period('Monday', '12:00', '13:00')]],
    ['at midnight', [period('Monday', '18:00', '24:00'), period('Tuesday', '00:00', '03:00')]],
    ['at the end of the week', [period('Saturday', '20:00', '02:00'), period('Sunday', '02:00', '03:00')]],
    ['all round the week', WEEK_DAYS.map((day) => period(day, '06:30', '06:30'))],
  ])('are not seen between windows that touch %s', (_name, input) => {
    expect(parseWorkingHours(input).ok).toBe(true);
  });

  it('are named by weekday and window in a weekday object', () => {
    const input = {
      monday: {
        periods: [
          { open: '08:00', close: '12:00' },
          { open: '11:00', close: '02:00' },
        ],
      },
      tuesday: { open: '01:00', close: '05:00' },
    };
    expect(errorsOf(input)).toEqual({
      'working_hours.monday.periods.1': 'overlaps Monday 08:00-12:00',
      'working_hours.tuesday': 'overlaps Monday 11:00-02:00',
    });
  });
});

describe('size', () => {
  const minuteWindows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      WeekDay: 'Monday',
      OpenHour: index,
      OpenMinute: 0,
      CloseHour: index,
      CloseMinute: 1,
    }));

  it('takes 20 windows a day and refuses the 21st', () => {
    expect(parseWorkingHours(minuteWindows(20)).ok).toBe(true);
    expect(Object.keys(errorsOf(minuteWindows(21)))).toEqual(['working_hours.20']);
    const inObject = (count: number) => ({
      monday: {
        periods: minuteWindows(count).map(({ OpenHour }) => ({
          open: `${String(OpenHour).padStart(2, '0')}:00`,
          close: `${String(OpenHour).padStart(2, '0')}:01`,
        })),
      },
    });
    expect(parseWorkingHours(inObject(20)).ok).toBe(true);
    expect(Object.keys(errorsOf(inObject(21)))).toEqual(['working_hours.monday.periods']);
  });

  it('answers a huge input with a small refusal', () => {
    expect(errorsOf(Array.from({ length: 200_000 }, () => null))).toEqual({
      working_hours: 'must hold at most 140 periods',
    });
    const manyKeys = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`day${index}`, {}]));
    expect(Object.keys(errorsOf(manyKeys)).length).toBeLessThan(20);
  });
});
