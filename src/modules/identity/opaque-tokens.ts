import { createHash, randomBytes } from 'node:crypto';

export type TokenKind = 'session' | 'api_key' | 'invitation' | 'password_reset';

const PREFIXES = { session: 'dks_', api_key: 'dkk_', refresh: 'dkr_', invitation: 'dki_', password_reset: 'dkp_' };

/** 256 random bits need no slow hash: SHA-256 keeps the stored form useless to a reader of the database. */
export function newOpaqueToken(kind: TokenKind): { token: string; hash: Buffer; hint: string } {
  const token = PREFIXES[kind] + randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token), hint: token.slice(-4) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function isOpaque(token: string, kind: keyof typeof PREFIXES): boolean {
  return token.startsWith(PREFIXES[kind]);
}
