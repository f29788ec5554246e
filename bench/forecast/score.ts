import { type Said, SCORED_LEVELS } from './baseline.ts';

const ALL_LEVELS = [0.025, ...SCORED_LEVELS, 0.975];

/** In-sample errors that scores are divided by; undefined where the history has none. */
export function scalesOf(history: Float64Array): { seasonal: number; step: number } | undefined {
  let [absolute, seasonalDays, squares, stepDays] = [0, 0, 0, 0];
  for (let i = 1; i < history.length; i += 1) {
    const step = (history[i] as number) - (history[i - 1] as number);
    if (!Number.isNaN(step)) {
      squares += step * step;
      stepDays += 1;
    }
    const seasonal = (history[i] as number) - (history[i - 7] as number);
    if (i < 7 || Number.isNaN(seasonal)) continue;
    absolute += Math.abs(seasonal);
    seasonalDays += 1;
  }
  if (!(absolute > 0) || !(squares > 0)) return undefined;
  return { seasonal: absolute / seasonalDays, step: Math.sqrt(squares / stepDays) };
}

/** Sums over SKUs and origins. */
export class Score {
  cases = 0;
  #sql = 0;
  #rmsse = 0;
  #days = 0;
  #hits80 = 0;
  #shared80 = 0;
  #shared95 = 0;
  #sumError = 0;
  #sumSaid = 0;
  #sumActual = 0;
  #hasQuantiles = false;

  /** `sum`: what the method says of the sum, when it is not that of its means. */
  add(said: Said, actual: Float64Array, scales: { seasonal: number; step: number }, sum?: number): void {
    let [loss, squares, days, saidSum, actualSum] = [0, 0, 0, 0, 0];
    for (let day = 0; day < actual.length; day += 1) {
      const value = actual[day] as number;
      if (Number.isNaN(value)) continue;
      days += 1;
      const mean = said.mean[day] as number;
      squares += (value - mean) ** 2;
      saidSum += mean;
      actualSum += value;
      if (said.quantiles !== undefined) loss += this.#addDay(said.quantiles, day, value);
    }
    if (days === 0) return;
    this.cases += 1;
    this.#days += days;
    this.#sql += loss / days / scales.seasonal;
    this.#rmsse += Math.sqrt(squares / days) / scales.step;
    this.#sumError += Math.abs((sum ?? saidSum) - actualSum);
    this.#sumSaid += saidSum;
    this.#sumActual += actualSum;
  }

  #addDay(quantiles: Float64Array[], day: number, value: number): number {
    this.#hasQuantiles = true;
    let loss = 0;
    for (let q = 0; q < SCORED_LEVELS.length; q += 1) {
      const level = SCORED_LEVELS[q] as number;
      const error = value - (quantiles[q + 1]?.[day] as number);
      loss += 2 * (error >= 0 ? level * error : (level - 1) * error);
    }
    if (value >= (quantiles[1]?.[day] as number) && value <= (quantiles[9]?.[day] as number)) this.#hits80 += 1;
    const { from, to } = levelsAround(quantiles, day, value);
    this.#shared80 += shareWithin(from, to, 0.1, 0.9);
    this.#shared95 += shareWithin(from, to, 0.025, 0.975);
    return loss / SCORED_LEVELS.length;
  }

  get figures() {
    const known = (value: number) => (this.#hasQuantiles ? value : undefined);
    return {
      cases: this.cases,
      sql: known(this.#sql / this.cases),
      rmsse: this.#rmsse / this.cases,
      sumWape: this.#sumError / this.#sumActual,
      bias: this.#sumSaid / this.#sumActual - 1,
      coverage80: known(this.#shared80 / this.#days),
      coverage95: known(this.#shared95 / this.#days),
      closedCoverage80: known(this.#hits80 / this.#days),
    };
  }
}

export type Figures = Score['figures'];

/**
 * Where in the forecast's distribution a value fell. Most values of a slow seller are zero, and so are most of its quantiles: such a
 * value lies somewhere among all the levels that equal it, and counts as covered by the share of them that is inside. Taken
 * as plainly inside, any forecast would cover 95 % there, and that says nothing about it.
 */
function levelsAround(quantiles: Float64Array[], day: number, value: number): { from: number; to: number } {
  let [from, to] = [0, 1];
  for (let q = 0; q < ALL_LEVELS.length; q += 1) {
    const quantile = quantiles[q]?.[day] as number;
    if (quantile < value) from = ALL_LEVELS[q] as number;
    if (quantile > value) {
      to = ALL_LEVELS[q] as number;
      break;
    }
  }
  return { from, to };
}

function shareWithin(from: number, to: number, low: number, high: number): number {
  return Math.max(0, Math.min(to, high) - Math.max(from, low)) / (to - from);
}
