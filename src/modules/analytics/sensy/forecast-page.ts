import { addDays } from '../../../platform/local-day.ts';
import { countDays } from '../days.ts';
import {
  type DemandCalendar,
  type DemandForecast,
  type DemandHistory,
  explain,
  forecastDemand,
  makeCalendar,
  type PooledProfile,
  planStock,
  poolProfiles,
  QUANTILE_LEVELS,
} from '../forecast/index.ts';
import type { BranchPast, ForecastInput } from '../sql/forecast-inputs.ts';
import type { ForecastSettings } from '../sql/forecast-settings.ts';
import { MAX_HORIZON_DAYS } from './horizon.ts';

/** Days of which nothing is known, up to so many, are a gap in the past; beyond that the past is brought up to now. */
const LONGEST_GAP_DAYS = 60;
const CALENDAR_DAYS_BACK = 800;
const RANGE_DAYS = [7, 30, 90, 180, 365];
const LOW = QUANTILE_LEVELS.indexOf(0.1);
const HIGH = QUANTILE_LEVELS.indexOf(0.9);

type Past = ReadonlyMap<string, BranchPast>;
export type PoolTask = { today: string; past: Past; skus: ForecastInput[] };
export type PageTask = PoolTask & { settings: ForecastSettings; pooled: string };

/** Parameters shared by all SKUs of a page, as JSON. */
export function poolPage({ today, past, skus }: PoolTask): string {
  const series = skus.flatMap((sku) => historyOf(sku, past, today)?.history ?? []);
  const { weekday, dayKindUplift, promotionUplift, shopLevel } = poolProfiles(series, calendarAround(today));
  const { firstEpochDay, overNow } = shopLevel;
  const stored: StoredProfile = {
    weekday: [...weekday],
    dayKindUplift: [...dayKindUplift],
    promotionUplift,
    shopLevel: { firstEpochDay, overNow: [...overNow] },
  };
  return JSON.stringify(stored);
}

/** The forecast rows of a page of SKUs, as JSON for the database. */
export function forecastPage({ today, past, settings, pooled, skus }: PageTask): string {
  const calendar = calendarAround(today);
  const profile = readPooled(pooled);
  const rows = skus.flatMap((sku) => {
    const known = historyOf(sku, past, today);
    return known === undefined ? [] : [rowOf(sku, known, { today, settings, calendar, profile })];
  });
  return JSON.stringify(rows);
}

type Known = { history: DemandHistory; until: string; used: number[]; usedBefore: number[] };

/**
 * A number for each day up to yesterday. Days after the last of which anything is known are unknown, not zero. Where that
 * is long ago (an old till's history, uploaded), the past is moved up by whole weeks, so that weekdays stay what they are.
 */
function historyOf(sku: ForecastInput, past: Past, today: string): Known | undefined {
  const branch = past.get(sku.branch_id);
  if (branch === undefined) return undefined;
  const { from, until } = branch;
  const knownDays = countDays(from, until) + 1;
  const gapDays = countDays(until, today) - 1;
  const movedDays = gapDays > LONGEST_GAP_DAYS ? Math.floor(gapDays / 7) * 7 : 0;
  const quantities = new Float64Array(knownDays + gapDays - movedDays).fill(Number.NaN, knownDays);
  const used = RANGE_DAYS.map(() => 0);
  const usedBefore = RANGE_DAYS.map(() => 0);
  for (const [day, units] of daysOf(sku.sold)) if (day < knownDays) (quantities[day] as number) += units;
  // More returns than sales is not demand.
  for (let day = 0; day < knownDays; day += 1) if ((quantities[day] as number) < 0) quantities[day] = 0;
  for (const [day, units] of daysOf(sku.uploaded)) if (day < knownDays) quantities[day] = units;
  for (let day = 0; day < knownDays; day += 1) {
    const daysAgo = knownDays + gapDays - day;
    for (const [index, range] of RANGE_DAYS.entries()) {
      if (daysAgo <= range) (used[index] as number) += quantities[day] as number;
      else if (daysAgo <= 2 * range) (usedBefore[index] as number) += quantities[day] as number;
    }
  }
  const history: DemandHistory = { firstDay: addDays(from, movedDays), quantities };
  // Nothing on the shelf now: a run of zeros up to now may be that and no lack of buyers. The engine judges by its length.
  if (sku.current_qty <= 0) history.stockoutDays = trailingZeros(quantities);
  return { history, until, used, usedBefore };
}

function* daysOf(text: string | null): Generator<[day: number, units: number]> {
  if (text === null) return;
  for (const entry of text.split(',')) {
    const colon = entry.indexOf(':');
    yield [Number(entry.slice(0, colon)), Number(entry.slice(colon + 1))];
  }
}

function trailingZeros(quantities: Float64Array): Uint8Array {
  const flags = new Uint8Array(quantities.length);
  for (let day = quantities.length - 1; day >= 0 && !((quantities[day] as number) > 0); day -= 1) flags[day] = 1;
  return flags;
}

type ForecastContext = {
  today: string;
  settings: ForecastSettings;
  calendar: DemandCalendar;
  profile: PooledProfile | undefined;
};

function rowOf(sku: ForecastInput, known: Known, { settings, calendar, profile }: ForecastContext): object {
  const horizon = MAX_HORIZON_DAYS;
  const forecast = forecastDemand(known.history, calendar, { horizon, ...(profile && { pooled: profile }) });
  const reorderThreshold = sku.reorder_threshold > 0 ? sku.reorder_threshold : settings.reorder_threshold;
  const buffer = sku.buffer > 0 ? sku.buffer : settings.buffer;
  const plan = planStock({
    forecast,
    currentQty: sku.current_qty,
    reorderThreshold,
    buffer,
    leadTimeDays: settings.lead_time_days,
    serviceLevel: settings.service_level,
  });
  const named = { nameEn: sku.name_en || sku.sku, nameAr: sku.name_ar || sku.name_en || sku.sku };
  const explanation = explain(forecast, plan, { currentQty: sku.current_qty, ...named });
  return {
    sku: sku.sku,
    branch_id: sku.branch_id,
    sku_updated: sku.sku_updated,
    first_day: forecast.firstDay,
    history_until: known.until,
    history_days: forecast.knownDays,
    method: forecast.method,
    demand_class: forecast.demandClass,
    qty: rounded(forecast.mean),
    lo: rounded(forecast.quantiles[LOW] ?? []),
    hi: rounded(forecast.quantiles[HIGH] ?? []),
    stockout_chances: rounded(stockoutChances(forecast, sku.current_qty)),
    weekday_profile: rounded(forecast.weekdayProfile),
    wape: forecast.backtest.wape,
    mase: forecast.backtest.mase,
    current_qty: sku.current_qty,
    reorder_threshold: reorderThreshold,
    buffer,
    lead_time_days: settings.lead_time_days,
    service_level: settings.service_level,
    reorder_point: plan.reorderPoint,
    days_of_cover: plan.daysOfCover,
    days_of_cover_p10: plan.coverP10Date === null ? null : countDays(forecast.firstDay, plan.coverP10Date),
    suggested_order_date: plan.suggestedOrderDate,
    suggested_order_qty: plan.suggestedOrderQty,
    explanation_en: explanation.en,
    explanation_ar: explanation.ar,
    used: rounded(known.used),
    used_before: rounded(known.usedBefore),
  };
}

/**
 * By day: the share of simulated paths in which demand exceeds the stock by its end. A SKU that is out already has run out for
 * certain; where less than one is expected to be sold in all these days, it is not at risk.
 */
function stockoutChances({ paths, mean }: DemandForecast, currentQty: number): Float64Array {
  const { count, horizon, values } = paths;
  const stock = Math.max(0, currentQty);
  const shortOn = new Float64Array(horizon);
  if (stock === 0) return shortOn.fill(mean.reduce((sum, units) => sum + units, 0) >= 1 ? 1 : 0);
  for (let path = 0; path < count; path += 1) {
    let left = stock;
    for (let day = 0; day < horizon; day += 1) {
      left -= values[path * horizon + day] as number;
      // Tolerance for rounding of float sums.
      if (left < -1e-9 * Math.max(1, stock)) {
        (shortOn[day] as number) += 1 / count;
        break;
      }
    }
  }
  for (let day = 1; day < horizon; day += 1) (shortOn[day] as number) += shortOn[day - 1] as number;
  return shortOn.map((chance) => Math.min(1, chance));
}

/** To the third decimal: more precision has no meaning, and the shorter text is written and parsed in half the time. */
function rounded(values: ArrayLike<number>): number[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0));
}

const calendars = new Map<string, DemandCalendar>();

function calendarAround(today: string): DemandCalendar {
  const known = calendars.get(today);
  if (known !== undefined) return known;
  const made = makeCalendar(addDays(today, -CALENDAR_DAYS_BACK), addDays(today, MAX_HORIZON_DAYS));
  calendars.clear();
  calendars.set(today, made);
  return made;
}

/** A profile as it is stored between the pages of a shop. */
type StoredProfile = {
  weekday: number[];
  dayKindUplift: number[];
  promotionUplift: number;
  shopLevel: { firstEpochDay: number; overNow: number[] };
};

/** Parses a stored profile; undefined when it is not one. */
function readPooled(text: string): PooledProfile | undefined {
  const found = JSON.parse(text) as Partial<StoredProfile> | null;
  if (found?.weekday === undefined || found.dayKindUplift === undefined) return undefined;
  const { firstEpochDay, overNow } = found.shopLevel ?? { firstEpochDay: 0, overNow: [] };
  return {
    weekday: Float64Array.from(found.weekday),
    dayKindUplift: Float64Array.from(found.dayKindUplift),
    promotionUplift: found.promotionUplift ?? 1,
    shopLevel: { firstEpochDay, overNow: Float64Array.from(overNow) },
  };
}
