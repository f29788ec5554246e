import type { SettingReader } from '../../platform/config.ts';

export type LeadSettings = {
  /** For each address; 0 is no limit. */
  rateLimitPerMinute: number;
};

export function readLeadSettings({ integer }: SettingReader): LeadSettings {
  return { rateLimitPerMinute: integer('LEAD_RATE_LIMIT_PER_MINUTE', 1200, 0, 10_000_000) };
}
