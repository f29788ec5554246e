import { type Baseline, bridgeClosedDays, normalQuantiles } from './baseline.ts';

/** The week before once more, with the normal intervals of its errors, as statsforecast has it. */
export const seasonalNaive: Baseline = (history, horizon) => {
  const bridged = bridgeClosedDays(history);
  let [squares, days] = [0, 0];
  for (let i = 7; i < history.length; i += 1) {
    const difference = (history[i] as number) - (history[i - 7] as number);
    if (Number.isNaN(difference)) continue;
    squares += difference * difference;
    days += 1;
  }
  const deviation = Math.sqrt(squares / Math.max(1, days));
  const mean = Float64Array.from({ length: horizon }, (_, day) => bridged[bridged.length - 7 + (day % 7)] ?? 0);
  return { mean, quantiles: normalQuantiles(mean, (day) => deviation * Math.sqrt(Math.floor(day / 7) + 1)) };
};
