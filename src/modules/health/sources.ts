import type { HttpMetrics } from '../../platform/http/http-metrics.ts';

/** Where the figures come from. Modules that have more to tell add their section by name. */
export type HealthSources = {
  http: HttpMetrics;
  inFlight(): number;
  identityCacheHitRate(): number;
  /** Connector apps and their staging area. */
  apps(): Promise<AppFigures>;
  sections: Map<string, () => Promise<Record<string, unknown>>>;
};

export type AppFigures = {
  factories: number;
  installs: number;
  enabledInstalls: number;
  installErrors: number;
  staging: { processed: number; failed: number; cleanedUp: number };
};
