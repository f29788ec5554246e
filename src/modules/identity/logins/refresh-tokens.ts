import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../../../platform/ids.ts';
import { deriveKey } from '../../../platform/secret-box.ts';
import { hashToken } from '../opaque-tokens.ts';

/**
 * A refresh token is the number of a refresh of its login, signed. So a made-up one is known for what it is before
 * anything is looked up, a used one is known again however many came after it, and the current one can be computed once
 * more without being stored.
 */
export type RefreshTokens = {
  issue(sessionId: string, number: number): string;
  /** Nothing for a token that we did not issue. One from before they were numbered is verified by its hash alone. */
  read(token: string): PresentedRefresh | undefined;
};

export type PresentedRefresh = { sessionId: string; number: number; unnumberedHash: Buffer | null };

const PREFIX = 'dkr_';
const NUMBERED = /^dkr_([0-9a-f-]{36})\.([1-9]\d{0,8})\.([\w-]{43})$/;
const UNNUMBERED = /^dkr_([0-9a-f-]{36})\.[\w-]{43}$/;

export function createRefreshTokens(secret: string): RefreshTokens {
  const key = deriveKey(secret, 'refresh-token');
  const sign = (named: string) => createHmac('sha256', key).update(named).digest();

  return {
    issue(sessionId, number) {
      const named = `${sessionId}.${number}`;
      return `${PREFIX}${named}.${sign(named).toString('base64url')}`;
    },
    read(token) {
      const [, sessionId, number, signature = ''] = NUMBERED.exec(token) ?? [];
      if (isId(sessionId) && number !== undefined) {
        const expected = sign(`${sessionId}.${number}`);
        const given = Buffer.from(signature, 'base64url');
        if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
        return { sessionId, number: Number(number), unnumberedHash: null };
      }
      const former = UNNUMBERED.exec(token)?.[1];
      return isId(former) ? { sessionId: former, number: 0, unnumberedHash: hashToken(token) } : undefined;
    },
  };
}
