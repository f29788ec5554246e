import { type DemandForecast, orderLevels } from '../../src/modules/analytics/forecast/index.ts';
import { historyFromFirstSale, sampleOf } from './compare.ts';
import { openEngine } from './engine.ts';
import { lateDays } from './origins.ts';
import type { DataSet, Series } from './read-data.ts';

const LEAD_DAYS = 5;
const COVER_DAYS = 7;
/**
 * Forecasts are made anew every day, as by the service: the sum over the next six days, asked for on a Monday, is no answer on
 * Sunday. What the SKUs have in common is learned once a week, which spares two thirds of the time.
 */
const POOLED_DAYS = 7;
const SERVICE_LEVELS = [0.4, 0.55, 0.7, 0.8, 0.87, 0.92, 0.95, 0.975, 0.99, 0.997];
const HAND_DAYS = [2, 3, 4, 6, 8, 10, 13, 16, 20, 26, 34, 45, 60, 90];
/** A diligent shopkeeper: thresholds are set anew every four weeks, from the mean of the last three months. */
const HAND_RESET_DAYS = 28;
const HAND_MEAN_DAYS = 90;
const COMPARED_FILL_RATES = [0.8, 0.85, 0.9, 0.95];

/** An order is due at `reorderPoint` and brings the stock up to `upTo`. */
type Rule = { reorderPoint: number; upTo: number };
type Outcome = { fillRate: number; stockDays: number };

export type InventoryComparison = {
  dataSet: string;
  /** NaN where a rule does not serve that much however careful it is. */
  compared: {
    counted: 'inPieces' | 'skusAlike';
    fillRate: number;
    handStockDays: number;
    ownStockDays: number;
    ratio: number;
  }[];
};

/**
 * Days of the late span are lived through with lost sales, lead time and one look a day, once by the rule a shop sets by
 * hand (a threshold of so many days of the mean sale, the same days for all SKUs) and once by the quantile of the sum
 * over the lead time. Each is tried from careless to careful, and stock is compared at the same share of demand served.
 */
export function simulateInventory(set: DataSet, mostSkus: number): InventoryComparison {
  const start = set.dayCount - lateDays(set.dayCount);
  const engine = openEngine(set, 365);
  const skus = sampleOf(set.series, mostSkus).filter((series) => historyFromFirstSale(series, start, 365));
  const own = SERVICE_LEVELS.map(() => new Tally());
  const hand = HAND_DAYS.map(() => new Tally());
  const weeks: ReturnType<typeof engine.at>[] = [];
  for (let day = start; day < set.dayCount; day += POOLED_DAYS) weeks.push(engine.at(day));
  for (const series of skus) {
    const demand = series.quantities.subarray(start);
    if (!demand.some((value) => value > 0)) continue;
    const meanSales = Array.from({ length: Math.ceil(demand.length / HAND_RESET_DAYS) }, (_, month) =>
      meanSaleBefore(series, start + month * HAND_RESET_DAYS),
    );
    HAND_DAYS.forEach((days, i) => {
      const rules = meanSales.map((meanSale) => ({
        reorderPoint: Math.ceil(days * meanSale),
        upTo: Math.ceil((days + COVER_DAYS) * meanSale),
      }));
      hand[i]?.add(live(demand, (day) => rules[Math.floor(day / HAND_RESET_DAYS)] as Rule));
    });
    const rulesByDay = Array.from(demand, (_, day) => {
      const week = weeks[Math.floor(day / POOLED_DAYS)] as (typeof weeks)[number];
      return rulesOf(week.forecast(series, LEAD_DAYS + 1 + COVER_DAYS, start + day));
    });
    SERVICE_LEVELS.forEach((_, i) => {
      own[i]?.add(live(demand, (day) => rulesByDay[day]?.[i] as Rule));
    });
  }
  return {
    dataSet: set.name,
    compared: (['inPieces', 'skusAlike'] as const).flatMap((counted) => {
      const [handCurve, ownCurve] = [hand.map((tally) => tally[counted]), own.map((tally) => tally[counted])];
      return COMPARED_FILL_RATES.map((fillRate) => {
        const [handStockDays, ownStockDays] = [stockAt(handCurve, fillRate), stockAt(ownCurve, fillRate)];
        return { counted, fillRate, handStockDays, ownStockDays, ratio: ownStockDays / handStockDays };
      });
    }),
  };
}

/** For each of `SERVICE_LEVELS`, as the service orders. */
function rulesOf(forecast: DemandForecast): Rule[] {
  return SERVICE_LEVELS.map((serviceLevel) => {
    const terms = { leadTimeDays: LEAD_DAYS, serviceLevel, coverDays: COVER_DAYS };
    const { untilDelivery, afterDelivery } = orderLevels(forecast, terms);
    const reorderPoint = Math.ceil(untilDelivery);
    return { reorderPoint, upTo: Math.ceil(reorderPoint + afterDelivery) };
  });
}

/** Both ways of adding up SKUs, since they answer differently: a stockroom counts pieces, a shelf counts SKUs. */
class Tally {
  #served = 0;
  #wanted = 0;
  #stock = 0;
  #fillRates = 0;
  #stockDays = 0;
  #skus = 0;

  add(lived: { served: number; wanted: number; stock: number }): void {
    this.#served += lived.served;
    this.#wanted += lived.wanted;
    this.#stock += lived.stock;
    this.#fillRates += lived.served / lived.wanted;
    this.#stockDays += lived.stock / lived.wanted;
    this.#skus += 1;
  }

  /** Pieces served of those wanted, and pieces in stock over those wanted a day. */
  get inPieces(): Outcome {
    return { fillRate: this.#served / this.#wanted, stockDays: this.#stock / this.#wanted };
  }

  /** Means of the same over SKUs. */
  get skusAlike(): Outcome {
    return { fillRate: this.#fillRates / this.#skus, stockDays: this.#stockDays / this.#skus };
  }
}

function meanSaleBefore(series: Series, day: number): number {
  const recent = series.quantities.subarray(Math.max(0, day - HAND_MEAN_DAYS), day).filter((value) => value >= 0);
  return recent.length === 0 ? 0 : recent.reduce((sum, value) => sum + value, 0) / recent.length;
}

function live(demand: Float64Array, ruleOn: (day: number) => Rule) {
  const arriving = new Float64Array(demand.length + LEAD_DAYS + 1);
  let { upTo: stock } = ruleOn(0);
  let onOrder = 0;
  const lived = { served: 0, wanted: 0, stock: 0 };
  for (let day = 0; day < demand.length; day += 1) {
    stock += arriving[day] as number;
    onOrder -= arriving[day] as number;
    const { reorderPoint, upTo } = ruleOn(day);
    if (stock + onOrder <= reorderPoint) {
      const ordered = Math.max(0, upTo - stock - onOrder);
      onOrder += ordered;
      (arriving[day + LEAD_DAYS] as number) += ordered;
    }
    const wanted = Number.isNaN(demand[day]) ? 0 : (demand[day] as number);
    const served = Math.min(stock, wanted);
    stock -= served;
    lived.served += served;
    lived.wanted += wanted;
    lived.stock += stock;
  }
  return lived;
}

/** On straight lines between the tried ones. */
function stockAt(curve: Outcome[], fillRate: number): number {
  const sorted = curve.toSorted((a, b) => a.fillRate - b.fillRate);
  for (let i = 1; i < sorted.length; i += 1) {
    const [below, above] = [sorted[i - 1] as Outcome, sorted[i] as Outcome];
    if (below.fillRate <= fillRate && above.fillRate >= fillRate) {
      const share = (fillRate - below.fillRate) / (above.fillRate - below.fillRate || 1);
      return below.stockDays + share * (above.stockDays - below.stockDays);
    }
  }
  return Number.NaN;
}
