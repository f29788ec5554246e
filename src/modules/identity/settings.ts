import type { SettingReader } from '../../platform/config.ts';

export type IdentitySettings = {
  /** For each address; 0 is no limit. */
  loginRateLimitPerMinute: number;
};

export function readIdentitySettings({ integer }: SettingReader): IdentitySettings {
  return { loginRateLimitPerMinute: integer('LOGIN_RATE_LIMIT_PER_MINUTE', 300, 0, 10_000_000) };
}
