import { useMemo } from 'react';
import { useFormat } from '../../../i18n/index.ts';
import { WEEK_DAYS, type WeekDay } from './week.ts';

/** A Sunday, at noon of any zone. */
const SUNDAY = Date.UTC(2026, 0, 4, 12);
const DAY_MS = 86_400_000;

export function useDayName(): (day: WeekDay) => string {
  const { weekday } = useFormat();
  return useMemo(() => (day) => weekday(SUNDAY + WEEK_DAYS.indexOf(day) * DAY_MS), [weekday]);
}
