export { healthRoutes, metricsRoute } from './routes.ts';
export type { AppFigures, HealthSources } from './sources.ts';
