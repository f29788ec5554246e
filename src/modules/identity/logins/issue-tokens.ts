import type { Identity } from '../identity.ts';
import { ACCESS_TOKEN_SECONDS } from './jwt.ts';

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
