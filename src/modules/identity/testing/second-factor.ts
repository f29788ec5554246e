import { call, type TestAccount } from '../../../../test/harness/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { codeAt, stepAt } from '../second-factor/totp.ts';

/** An account whose authenticator is ahead by so many steps. */
export const codeOf = (secret: string, clock: Pick<Clock, 'now'>, ahead = 0) =>
  codeAt(secret, stepAt(clock.now()) + ahead);

/** Enrolled and confirmed; the current step is used up by that. */
export async function withSecondFactor(
  baseUrl: string,
  account: Pick<TestAccount, 'token' | 'password'>,
  clock: Pick<Clock, 'now'>,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { token, password } = account;
  const { secret } = (await call(baseUrl, 'POST /auth/totp/enrol', { token, body: { password } })).body;
  const confirmed = await call(baseUrl, 'POST /auth/totp/confirm', { token, body: { code: codeOf(secret, clock) } });
  if (confirmed.status !== 200) throw new Error(`confirming answered ${confirmed.status} ${confirmed.text}`);
  return { secret, recoveryCodes: confirmed.body.recovery_codes };
}
