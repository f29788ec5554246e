import { ConfigError, type SettingReader } from '../../platform/config.ts';
import type { IngestLimitSettings } from './ingest-limits.ts';

export type StagingSettings = {
  /** Waits after each failure that may pass by itself; one more attempt than there are waits. */
  retryDelaysSeconds: number[];
  /** Of one install. */
  ingest: IngestLimitSettings;
};

/** Six attempts over an hour. */
const RETRY_DELAYS = '30,120,450,900,2100';

/** Two thousand calls a second are more than any vendor sends; 2 GB a day are a million orders. */
const RATE_PER_MINUTE = 120_000;
const QUOTA_MEGABYTES = 2_048;

export function readStagingSettings({ text, integer }: SettingReader): StagingSettings {
  const raw = text('STAGING_RETRY_DELAYS', RETRY_DELAYS);
  const parts = raw.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^\d{1,9}(\.\d+)?$/.test(part))) {
    throw new ConfigError(`STAGING_RETRY_DELAYS must be seconds separated by commas, not "${raw}"`);
  }
  return {
    retryDelaysSeconds: parts.map(Number),
    ingest: {
      ratePerMinute: integer('INGEST_RATE_PER_MINUTE', RATE_PER_MINUTE, 1, 100_000_000),
      quotaMegabytes: integer('INGEST_QUOTA_MB_PER_DAY', QUOTA_MEGABYTES, 1, 1_000_000_000),
    },
  };
}
