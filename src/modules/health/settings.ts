import { ConfigError, type Role, type SettingReader } from '../../platform/config.ts';

export type HealthSettings = {
  /** Opens /metrics to whoever shows it as a bearer token. */
  metricsToken: string | undefined;
  /** Where /metrics and /health of this process are served apart from the API, in every role; absent: nowhere. */
  metricsPort: number | undefined;
  metricsHost: string;
  /** Nobody asked for this port: where it is taken, the process goes without. */
  metricsPortIsDefault: boolean;
};

/** What OpenTelemetry's exporters for Prometheus use as well. */
const WORKER_PORT = 9464;

/** A process without the API has no other way to be asked after, so it has a port unless told not to. */
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
