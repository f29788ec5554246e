import fc from 'fast-check';
import { WEEK_DAYS, type WorkingPeriod } from '../working-hours.ts';

/** One that may be given, whether or not it makes sense beside others. */
export const anyPeriod: fc.Arbitrary<WorkingPeriod> = fc
  .record({
    WeekDay: fc.constantFrom(...WEEK_DAYS),
    OpenHour: fc.nat(23),
    OpenMinute: fc.nat(59),
    CloseHour: fc.nat(24),
    CloseMinute: fc.nat(59),
  })
  .map((value) => (value.CloseHour === 24 ? { ...value, CloseMinute: 0 } : value));
