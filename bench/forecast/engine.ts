import { forecastDemand, makeCalendar, poolProfiles } from '../../src/modules/analytics/forecast/index.ts';
import { type DataSet, dateOf, type Series } from './read-data.ts';

/** The engine on a data set, as a shop would call it at the end of day `origin - 1`. */
export function openEngine(set: DataSet, historyDays: number) {
  const calendar = makeCalendar(dateOf(set.firstDay), dateOf(set.firstDay + set.dayCount));
  const historyOf = (series: Series, origin: number) => {
    const from = Math.max(0, origin - historyDays);
    return {
      firstDay: dateOf(set.firstDay + from),
      quantities: series.quantities.subarray(from, origin),
      promotions: series.promotions?.subarray(from, origin),
      stockoutDays: series.stockoutDays?.subarray(from, origin),
    };
  };
  return {
    at(origin: number) {
      const pooled = poolProfiles(
        set.series.map((series) => historyOf(series, origin)),
        calendar,
      );
      return {
        /** `today` may be later than what the SKUs have in common was learned. */
        forecast: (series: Series, horizon: number, today = origin) =>
          forecastDemand(historyOf(series, today), calendar, { horizon, pooled }),
        /** With the promotions to come, where the file has them. */
        forecastKnowingPromotions: (series: Series, horizon: number) =>
          forecastDemand(
            { ...historyOf(series, origin), futurePromotions: series.promotions?.subarray(origin, origin + horizon) },
            calendar,
            { horizon, pooled },
          ),
      };
    },
  };
}
