import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPeriod } from './testing/periods.ts';
import { parseWorkingHours, WEEK_DAYS, type WorkingPeriod } from './working-hours.ts';

describe('parseWorkingHours', () => {
  /** Walks the windows minute by minute on a round week: slow, and shares no arithmetic with the parser. */
  function coversTwice(periods: readonly WorkingPeriod[]): boolean {
    const taken = new Set<string>();
    for (const { WeekDay, OpenHour, OpenMinute, CloseHour, CloseMinute } of periods) {
      let day = WEEK_DAYS.indexOf(WeekDay);
      let hour = OpenHour;
      let minute = OpenMinute;
      do {
        const key = `${day} ${hour}:${minute}`;
        if (taken.has(key)) return true;
        taken.add(key);
        minute += 1;
        if (minute === 60) [hour, minute] = [hour + 1, 0];
        if (hour === 24) [day, hour] = [(day + 1) % 7, 0];
      } while (hour !== CloseHour % 24 || minute !== CloseMinute);
    }
    return false;
  }

  it('accepts exactly the sets in which no minute is covered twice', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(anyPeriod, { maxLength: 5 }), (periods) => {
        const { ok } = parseWorkingHours(periods);
        seen[ok ? 'accepted' : 'refused'] += 1;
        expect(ok).toBe(!coversTwice(periods));
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20);
  });

  it('gives its own answer back unchanged, whatever order came in', () => {
    fc.assert(
      fc.property(fc.array(anyPeriod, { maxLength: 4 }), (periods) => {
        const result = parseWorkingHours(periods);
        expect(parseWorkingHours(periods.toReversed()).ok).toBe(result.ok);
        if (!result.ok) return;
        expect(parseWorkingHours(result.periods)).toEqual(result);
        expect(parseWorkingHours(periods.toReversed())).toEqual(result);
      }),
      { numRuns: 300 },
    );
  });

  it('reads both styles alike', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(fc.array(anyPeriod, { maxLength: 6 }), (periods) => {
        const days: Record<string, { periods: unknown[] }> = {};
        for (const one of periods) {
          const name = one.WeekDay.toLowerCase();
          days[name] ??= { periods: [] };
          days[name].periods.push({
            open: `${two(one.OpenHour)}:${two(one.OpenMinute)}`,
            close: `${two(one.CloseHour)}:${two(one.CloseMinute)}`,
          });
        }
        const fromArray = parseWorkingHours(periods);
        const fromObject = parseWorkingHours(days);
        expect(fromObject.ok).toBe(fromArray.ok);
        if (fromArray.ok) expect(fromObject).toEqual(fromArray);
      }),
      { numRuns: 300 },
    );
  });

  it('never throws, and refuses with at least one field', () => {
    const nearly = fc.dictionary(
      fc.oneof(fc.constantFrom(...WEEK_DAYS.map((day) => day.toLowerCase())), fc.string()),
      fc.oneof(
        fc.anything(),
        fc.record(
          { open: fc.anything(), close: fc.anything(), periods: fc.anything(), closed: fc.anything() },
          { requiredKeys: [] },
        ),
      ),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), nearly, fc.array(fc.anything())), (input) => {
        const result = parseWorkingHours(input);
        if (result.ok) return;
        expect(Object.keys(result.errors).length).toBeGreaterThan(0);
        for (const key of Object.keys(result.errors)) expect(key).toMatch(/^working_hours(\.[\w-]{1,32})*$/);
      }),
      { numRuns: 1000 },
    );
  });
});
