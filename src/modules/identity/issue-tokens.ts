import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { IdentityCache } from './identity-cache.ts';
import { ACCESS_TOKEN_SECONDS, type Jwts } from './jwt.ts';
import type { PasswordLane } from './password-lane.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { WrongPasswords } from './wrong-passwords.ts';

/** What the identity rules work with. */
export type Identity = {
  sql: Sql;
  clock: Clock;
  cache: IdentityCache;
  jwts: Jwts;
  refreshTokens: RefreshTokens;
  passwordLane: PasswordLane;
  wrongPasswords: WrongPasswords;
  /** Holds the secrets of second factors. */
  box: SecretBox;
};

export const REFRESH_DAYS = 30;
export const REFRESH_SECONDS = REFRESH_DAYS * 86_400;
/** 0 stands for a refresh token from before they were numbered. */
export const FIRST_REFRESH = 1;

export type Tokens = { access_token: string; token_type: 'Bearer'; expires_in: number; refresh_token: string };

export function issueTokens(
  { jwts, refreshTokens }: Identity,
  { userId, sessionId, refreshNumber, now }: { userId: string; sessionId: string; refreshNumber: number; now: Date },
): Tokens {
  return {
    access_token: jwts.sign({ userId, sessionId, now }),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshTokens.issue(sessionId, refreshNumber),
  };
}

export function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + REFRESH_SECONDS * 1000);
}
