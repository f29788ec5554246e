import { ConfigError, type SettingReader } from '../../platform/config.ts';

export type IdentitySettings = {
  /** For each address; 0 is no limit. */
  loginRateLimitPerMinute: number;
  /** Where links that are handed over lead; absent: to the address that the service listens on. */
  publicUrl?: string | undefined;
  /** Commercial accounts reach nothing of the operator's without a second factor. */
  commercialRequireTotp: boolean;
};

export function readIdentitySettings({ integer, optional, flag }: SettingReader): IdentitySettings {
  return {
    loginRateLimitPerMinute: integer('LOGIN_RATE_LIMIT_PER_MINUTE', 300, 0, 10_000_000),
    publicUrl: readPublicUrl(optional('PUBLIC_URL')),
    commercialRequireTotp: flag('COMMERCIAL_REQUIRE_TOTP', false),
  };
}

function readPublicUrl(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  const origin = raw.replace(/\/$/, '');
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new ConfigError(`PUBLIC_URL must be an http or https origin such as https://shop.example, not "${raw}"`);
  }
  return origin;
}
