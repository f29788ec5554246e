import { ConfigError, type SettingReader } from '../config.ts';

/** Under the names that OpenTelemetry gives them. Absent: tracing is off. */
export type TracingSettings = {
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  sampledShare: number;
  everyMs: number;
};

export function readTracingSettings({ optional, text, integer }: SettingReader): TracingSettings | undefined {
  const endpoint = optional('OTEL_EXPORTER_OTLP_ENDPOINT');
  const headers = text('OTEL_EXPORTER_OTLP_HEADERS', '');
  const serviceName = text('OTEL_SERVICE_NAME', 'dukkan');
  const share = Number(text('OTEL_TRACES_SAMPLER_ARG', '1'));
  const everyMs = integer('OTEL_BSP_SCHEDULE_DELAY', 5_000, 1, 600_000);
  if (endpoint === undefined) return undefined;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, not "${endpoint}"`);
  }
  if (!(share >= 0 && share <= 1)) {
    throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be the share of traces that are recorded, from 0 to 1');
  }
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: readHeaders(headers),
    serviceName,
    sampledShare: share,
    everyMs,
  };
}

/** `name=value,name=value`, with values in percent encoding. */
function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [name.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())];
      }),
    );
  } catch {
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value');
  }
}
