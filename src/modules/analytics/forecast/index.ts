export { type DayKind, type DemandCalendar, makeCalendar } from './calendar.ts';
export type { DemandClass } from './demand-class.ts';
export { type ExplainedStock, type Explanation, explain } from './explain.ts';
export { forecastDemand } from './forecast-demand.ts';
export { type OrderLevels, type OrderTerms, orderLevels } from './order-levels.ts';
export { sumQuantile } from './path-sums.ts';
export { planStock, type StockPlan, type StockSituation } from './plan-stock.ts';
export { poolProfiles } from './pool-profiles.ts';
export type {
  Backtest,
  DemandForecast,
  DemandHistory,
  DemandPaths,
  ForecastOptions,
  PooledProfile,
} from './types.ts';
export { QUANTILE_LEVELS } from './weighted-quantiles.ts';
