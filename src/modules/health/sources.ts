import type { HttpMetrics } from '../../platform/http/http-metrics.ts';

/** Where the figures come from. Modules add sections of their own by name. */
export type HealthSources = {
  http: HttpMetrics;
  inFlight(): number;
  /** The process was asked to stop and still answers for a moment. */
  isDraining(): boolean;
  bufferedBodyBytes(): number;
  identityCacheHitRate(): number;
  /** Connector apps and their staging area. */
  apps(): Promise<AppFigures>;
  /** The publisher of events and its followers. */
  followers(): Promise<FollowerReport[]>;
  sections: Map<string, () => Promise<Record<string, unknown>>>;
};

export type FollowerReport = {
  name: string;
  events_behind: number;
  seconds_behind: number;
  /** Dead-lettered events; those of the last day make the service degraded. */
  dead_lettered: number;
  dead_lettered_last_day: number;
};

export type AppFigures = {
  factories: number;
  installs: number;
  enabledInstalls: number;
  failingInstalls: number;
  staging: { processed: number; failed: number; cleanedUp: number };
};
