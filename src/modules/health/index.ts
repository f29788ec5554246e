export { healthRoutes, metricsRoute } from './routes.ts';
export type { AppFigures, FollowerReport, HealthSources } from './sources.ts';
