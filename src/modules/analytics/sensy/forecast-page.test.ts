import { describe, expect, it } from 'vitest';
import type { ForecastInput } from '../sql/forecast-inputs.ts';
import { DEFAULT_FORECAST_SETTINGS } from '../sql/forecast-settings.ts';
import { forecastPage, poolPage } from './forecast-page.ts';

const TODAY = '2026-11-16';
const input = (more: Partial<ForecastInput> = {}): ForecastInput => ({
  sku: 'S',
  branch_id: 'B',
  sku_updated: '2026-11-01 00:00:00+00',
  current_qty: 50,
  reorder_threshold: 0,
  buffer: 0,
  name_en: 'Salt',
  name_ar: 'ملح',
  sold: Array.from({ length: 100 }, (_, day) => `${day}:${day % 7 === 0 ? 20 : 5}`).join(','),
  uploaded: null,
  ...more,
});
const made = (sku: ForecastInput, from: string, until: string) => {
  const past = new Map([['B', { from, until }]]);
  const task = { today: TODAY, past, skus: [sku] };
  const [row] = JSON.parse(
    forecastPage({ ...task, settings: DEFAULT_FORECAST_SETTINGS, pooled: poolPage(task) }),
  ) as Record<string, never>[];
  return row as unknown as Record<'qty' | 'stockout_chances' | 'used' | 'used_before', number[]> &
    Record<string, unknown>;
};
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

describe('a forecast row', () => {
  it('covers ninety days from today', () => {
    const row = made(input(), '2026-08-08', '2026-11-15');
    expect(row).toMatchObject({ first_day: TODAY, history_until: '2026-11-15', history_days: 100 });
    for (const curve of ['qty', 'lo', 'hi', 'stockout_chances']) expect(row[curve]).toHaveLength(90);
    // 50 a week.
    expect(sum(row.qty.slice(0, 7))).toBeGreaterThan(40);
    expect(sum(row.qty.slice(0, 7))).toBeLessThan(60);
    expect(row.stockout_chances.at(-1)).toBe(1);
    expect(row.stockout_chances).toEqual(row.stockout_chances.toSorted((one, other) => one - other));
    expect(row.used[0]).toBe(50);
    expect(row.used_before[0]).toBe(50);
  });

  it('sums the channels of a day, and uses uploaded demand instead where there is some', () => {
    const sold = '90:3.000,90:4.500,91:2.000,91:-5.000,92:8.000';
    const row = made(input({ sold, uploaded: '92:1.250,93:6' }), '2026-08-08', '2026-11-15');
    // Days 90 to 93 of 100: ten to seven days ago.
    expect(row.used[1]).toBe(7.5 + 0 + 1.25 + 6);
    const sales = made(input({ sold: null, uploaded: '90:7.5,92:1.25,93:6' }), '2026-08-08', '2026-11-15');
    expect(sales.qty).toEqual(row.qty);
  });

  it('treats days without data as unknown, not as days without sales', () => {
    const withData = made(input(), '2026-08-08', '2026-11-15');
    const withoutData = made(input(), '2026-07-11', '2026-10-18');
    expect(withoutData).toMatchObject({ first_day: TODAY, history_until: '2026-10-18', history_days: 100 });
    expect(sum(withoutData.qty)).toBeCloseTo(sum(withData.qty), -2);
    // Within the last week nothing is known to have been used.
    expect(withoutData.used[0]).toBe(0);
  });

  it('shifts an old history forward by whole weeks', () => {
    const row = made(input(), '2011-09-01', '2011-12-09');
    expect(row).toMatchObject({ first_day: TODAY, history_until: '2011-12-09', history_days: 100 });
    // The peak was every seventh day from a Thursday on; the 19th of November 2026 is one.
    const week = row.qty.slice(0, 7);
    expect(week.indexOf(Math.max(...week))).toBe(3);
  });

  it('ignores days with a stockout', () => {
    const days = Array.from({ length: 100 }, (_, day) => (day < 80 ? `${day}:5` : '')).filter(Boolean);
    const empty = made(input({ current_qty: 0, sold: days.join(',') }), '2026-08-08', '2026-11-15');
    const full = made(input({ current_qty: 9, sold: days.join(',') }), '2026-08-08', '2026-11-15');
    expect(sum(empty.qty)).toBeGreaterThan(1.3 * sum(full.qty));
    expect(empty.stockout_chances[0]).toBe(1);
  });

  it('has run out when there is no stock, and is not at risk when it is no longer sold', () => {
    const rare = made(input({ current_qty: -2, sold: '60:1,80:1,95:1' }), '2026-08-08', '2026-11-15');
    expect([rare.days_of_cover, rare.stockout_chances[0]]).toEqual([0, 1]);
    const dead = made(input({ current_qty: 0, sold: '1:1' }), '2025-08-08', '2026-11-15');
    expect([dead.days_of_cover, dead.stockout_chances.at(-1)]).toEqual([0, 0]);
  });

  it("prefers the SKU's threshold and buffer over the organization's", () => {
    const past = new Map([['B', { from: '2026-08-08', until: '2026-11-15' }]]);
    const settings = { lead_time_days: 3, service_level: 0.9, reorder_threshold: 70, buffer: 8 };
    const skus = [input({ sku: 'OWN', reorder_threshold: 400, buffer: 1 }), input({ sku: 'NONE' })];
    const rows = JSON.parse(forecastPage({ today: TODAY, past, settings, pooled: 'null', skus }));
    expect(rows).toMatchObject([
      { sku: 'OWN', reorder_threshold: 400, buffer: 1, reorder_point: 400, lead_time_days: 3, service_level: 0.9 },
      { sku: 'NONE', reorder_threshold: 70, buffer: 8 },
    ]);
  });

  it('is not produced for a branch without data', () => {
    const task = { today: TODAY, past: new Map(), skus: [input()] };
    expect(forecastPage({ ...task, settings: DEFAULT_FORECAST_SETTINGS, pooled: poolPage(task) })).toBe('[]');
  });
});
