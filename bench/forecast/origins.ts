/**
 * Methods and their constants were chosen on the days before the late ones, and are reported on the late ones alone. Where a
 * file is short, as many whole windows as leave four weeks of history.
 */
export function lateDays(dayCount: number): number {
  if (dayCount >= 900) return 280;
  if (dayCount >= 336) return 168;
  return Math.max(0, Math.floor((dayCount - 28) / 28) * 28);
}

/** First days of windows of `horizon` days that do not overlap. */
export function lateOrigins(dayCount: number, horizon: number): number[] {
  const origins: number[] = [];
  for (let day = dayCount - lateDays(dayCount); day + horizon <= dayCount; day += horizon) origins.push(day);
  return origins;
}
