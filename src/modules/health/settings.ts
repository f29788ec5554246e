import type { SettingReader } from '../../platform/config.ts';

export type HealthSettings = {
  /** Opens /metrics to whoever shows it as a bearer token. */
  metricsToken: string | undefined;
  /** Where /metrics and /health of this process are served apart from the API, in every role; absent: nowhere. */
  metricsPort: number | undefined;
  metricsHost: string;
};

export function readHealthSettings({ text, optional, integer }: SettingReader): HealthSettings {
  return {
    metricsToken: optional('METRICS_TOKEN'),
    metricsPort: optional('METRICS_PORT') === undefined ? undefined : integer('METRICS_PORT', 0, 0, 65_535),
    metricsHost: text('METRICS_HOST', '127.0.0.1'),
  };
}
