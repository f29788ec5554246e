import type { SettingReader } from '../../platform/config.ts';

export type IdentitySettings = {
  /** For each address; 0 is no limit. */
  loginRateLimitPerMinute: number;
  /** Commercial accounts reach nothing of the operator's without a second factor. */
  commercialRequireTotp: boolean;
};

export function readIdentitySettings({ integer, flag }: SettingReader): IdentitySettings {
  return {
    loginRateLimitPerMinute: integer('LOGIN_RATE_LIMIT_PER_MINUTE', 300, 0, 10_000_000),
    commercialRequireTotp: flag('COMMERCIAL_REQUIRE_TOTP', false),
  };
}
