import { ConfigError, type Role, type SettingReader } from '../../platform/config.ts';

export type HealthSettings = {
  /** The bearer token that /metrics requires. */
  metricsToken: string | undefined;
  /** The port of this process for /metrics and /health apart from the API, in every role; absent: none. */
  metricsPort: number | undefined;
  metricsHost: string;
  /** The port is a default: when it is in use, the process starts without it. */
  metricsPortIsDefault: boolean;
};

/** What OpenTelemetry's exporters for Prometheus use as well. */
const WORKER_PORT = 9464;

/** A process without the API has no other health endpoint, so it has a port by default. */
export function readHealthSettings(
  { text, optional, integer }: SettingReader,
  roles: ReadonlySet<Role>,
): HealthSettings {
  const asked = optional('METRICS_PORT');
  return {
    metricsToken: optional('METRICS_TOKEN'),
    metricsPort: asked === undefined ? (roles.has('api') ? undefined : WORKER_PORT) : readPort(asked, integer),
    metricsHost: text('METRICS_HOST', '127.0.0.1'),
    metricsPortIsDefault: asked === undefined,
  };
}

function readPort(asked: string, integer: SettingReader['integer']): number | undefined {
  if (asked.toLowerCase() === 'off') return undefined;
  if (!/^\d+$/.test(asked))
    throw new ConfigError(`METRICS_PORT must be a port from 0 to 65535, or off, not "${asked}"`);
  return integer('METRICS_PORT', 0, 0, 65_535);
}
