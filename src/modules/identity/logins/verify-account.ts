import { Problem } from '../../../platform/http/problem.ts';
import type { Identity } from '../identity.ts';
import { passwordMatches, spendPasswordTime } from '../passwords/passwords.ts';
import { verifySecondFactor } from '../second-factor/verify-second-factor.ts';
import type { UserRow } from '../sql/accounts.ts';
import { hasSecondFactor } from '../sql/second-factors.ts';

export type LoginAttempt = { email: string; password: string; code?: string | undefined; address: string };

/** The account, once its password was shown, and a code where it has a second factor. An unknown one costs as much time as a wrong one. */
export async function verifyAccount(
  identity: Identity,
  account: UserRow | undefined,
  { email, password, code, address }: LoginAttempt,
): Promise<UserRow> {
  const { sql, passwordHashQueue, wrongPasswords } = identity;
  let passwordRight = false;
  const right = await wrongPasswords.judge(email, address, async () => {
    passwordRight = await passwordHashQueue.run(address, () =>
      account === undefined ? spendPasswordTime(password) : passwordMatches(password, account.password_hash),
    );
    // That an account has a second factor is revealed only with the right password.
    if (account === undefined || !passwordRight || !(await hasSecondFactor(sql, account.id))) return passwordRight;
    return code === undefined ? undefined : verifySecondFactor(identity, account.id, code);
  });
  if (account === undefined || !passwordRight || !account.is_active) throw wrongLogin();
  if (!right) throw secondFactorRequired(code);
  return account;
}

function secondFactorRequired(code: string | undefined): Problem {
  const wrong = code === undefined ? {} : { code: 'is wrong or was used before' };
  return new Problem(401, 'Second factor required', { totp: true, ...wrong });
}

export function wrongLogin(): Problem {
  return new Problem(401, 'Invalid email or password', {});
}
