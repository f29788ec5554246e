import { createHash, randomBytes } from 'node:crypto';
import { isId } from '../../platform/ids.ts';

export type TokenKind = 'session' | 'refresh' | 'api_key';

const PREFIXES: Record<TokenKind, string> = { session: 'dks_', refresh: 'dkr_', api_key: 'dkk_' };

/** 256 random bits need no slow hash: SHA-256 keeps the stored form useless to a reader of the database. */
export function newOpaqueToken(kind: Exclude<TokenKind, 'refresh'>): { token: string; hash: Buffer; hint: string } {
  const token = PREFIXES[kind] + randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token), hint: token.slice(-4) };
}

/** Names its login, so that any used one is known again however many came after it. */
export function newRefreshToken(sessionId: string): { token: string; hash: Buffer } {
  const token = `${PREFIXES.refresh}${sessionId}.${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashToken(token) };
}

export function findRefreshSessionId(token: string): string | undefined {
  const sessionId = token.slice(PREFIXES.refresh.length).split('.', 1)[0];
  return isOpaque(token, 'refresh') && isId(sessionId) ? sessionId : undefined;
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function isOpaque(token: string, kind: TokenKind): boolean {
  return token.startsWith(PREFIXES[kind]);
}
