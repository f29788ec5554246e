import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { IdentityCache } from './identity-cache.ts';
import { ACCESS_TOKEN_SECONDS, type Jwts } from './jwt.ts';

/** What the identity rules work with. */
export type Identity = { sql: Sql; clock: Clock; cache: IdentityCache; jwts: Jwts };

export const REFRESH_DAYS = 30;

export type Tokens = { access_token: string; token_type: 'Bearer'; expires_in: number; refresh_token: string };

export function tokensAnswer(accessToken: string, refreshToken: string): Tokens {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
  };
}

export function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + REFRESH_DAYS * 86_400_000);
}
