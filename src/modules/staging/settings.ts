import { ConfigError, type SettingReader } from '../../platform/config.ts';

export type StagingSettings = {
  /** Waits after each failure that may pass by itself; one more attempt than there are waits. */
  retryDelaysSeconds: number[];
};

/** Six attempts over an hour. */
const RETRY_DELAYS = '30,120,450,900,2100';

export function readStagingSettings({ text }: SettingReader): StagingSettings {
  const raw = text('STAGING_RETRY_DELAYS', RETRY_DELAYS);
  const parts = raw.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^\d{1,9}(\.\d+)?$/.test(part))) {
    throw new ConfigError(`STAGING_RETRY_DELAYS must be seconds separated by commas, not "${raw}"`);
  }
  return { retryDelaysSeconds: parts.map(Number) };
}
