import type { SettingReader } from '../../platform/config.ts';
import { parseRetryDelays } from '../../platform/work-queue/index.ts';
import type { IngestLimitSettings } from './ingest-limits.ts';

export type StagingSettings = {
  /** Delays after transient failures; one more attempt than there are delays. */
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
  return {
    retryDelaysSeconds: parseRetryDelays('STAGING_RETRY_DELAYS', text('STAGING_RETRY_DELAYS', RETRY_DELAYS)),
    ingest: {
      ratePerMinute: integer('INGEST_RATE_PER_MINUTE', RATE_PER_MINUTE, 1, 100_000_000),
      quotaMegabytes: integer('INGEST_QUOTA_MB_PER_DAY', QUOTA_MEGABYTES, 1, 1_000_000_000),
    },
  };
}
