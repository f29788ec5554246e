export { createMetricsPage } from './metrics.ts';
export { createMetricsServer, explainMetricsPort } from './metrics-server.ts';
export { healthRoutes, metricsRoute, rootHealthRoute } from './routes.ts';
export { type HealthSettings, readHealthSettings } from './settings.ts';
export type { AppFigures, FollowerReport, HealthSources } from './sources.ts';
