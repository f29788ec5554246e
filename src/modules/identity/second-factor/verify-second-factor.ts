import type { Clock } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { tooManyRequests } from '../../../platform/http/problem.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { findTriesSince, spendRecoveryCode, spendStep, takeTry } from '../sql/second-factors.ts';
import { bareCode, hashRecoveryCode } from './recovery-codes.ts';
import { findStep } from './totp.ts';

export const MAX_TRIES = 10;
export const TRIES_WINDOW_MS = 15 * 60_000;

/**
 * Spends a code, or a recovery code in its place. True once for each, however many show it at the same moment.
 *
 * Ten tries in a quarter of an hour for the account, on all nodes and from all addresses together (429): only those who
 * know the password get here, so others cannot use them up; an attacker with the password has a chance of 0.3 % a day.
 * Outside any transaction: what it counts has to stay counted when the caller's work is rolled back.
 */
export async function verifySecondFactor(
  { sql, clock, box }: { sql: Sql; clock: Clock; box: SecretBox },
  userId: string,
  code: string,
): Promise<boolean> {
  const now = clock.now();
  const windowOpenedAfter = new Date(now.getTime() - TRIES_WINDOW_MS);
  const secret = await takeTry(sql, userId, { max: MAX_TRIES, windowOpenedAfter, now });
  if (secret === undefined) {
    const since = await findTriesSince(sql, userId);
    if (since === undefined) return false;
    throw tooManyRequests(MAX_TRIES, Math.max(1, since.getTime() + TRIES_WINDOW_MS - now.getTime()));
  }

  const bare = bareCode(code);
  if (!/^\d{6}$/.test(bare)) return spendRecoveryCode(sql, userId, hashRecoveryCode(bare));
  const step = findStep(box.open(secret), bare, now);
  return step !== undefined && spendStep(sql, userId, secret, step);
}
