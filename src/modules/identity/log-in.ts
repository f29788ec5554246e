import { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { FIRST_REFRESH, type Identity, issueTokens, refreshExpiry, type Tokens } from './issue-tokens.ts';
import { passwordMatches, spendPasswordTime } from './passwords.ts';
import { findUserByEmail, insertLoginSession } from './sql/accounts.ts';
import { hasSecondFactor } from './sql/second-factors.ts';
import { verifySecondFactor } from './verify-second-factor.ts';

type Login = { email: string; password: string; code?: string; address: string };

export async function logIn(identity: Identity, { email, password, code, address }: Login): Promise<Tokens> {
  const { sql, clock, passwordLane, wrongPasswords } = identity;
  const user = await findUserByEmail(sql, email);
  let passwordRight = false;
  const right = await wrongPasswords.judge(email, address, async () => {
    passwordRight = await passwordLane.run(address, () =>
      user === undefined ? spendPasswordTime(password) : passwordMatches(password, user.password_hash),
    );
    // Nobody learns that an account has a second factor who does not know its password.
    if (user === undefined || !passwordRight || !(await hasSecondFactor(sql, user.id))) return passwordRight;
    return code === undefined ? undefined : verifySecondFactor(identity, user.id, code);
  });
  if (user === undefined || !passwordRight || !user.is_active) throw wrongLogin();
  if (!right) throw secondFactorRequired(code);

  const now = clock.now();
  const sessionId = newId();
  const inserted = await insertLoginSession(sql, {
    id: sessionId,
    userId: user.id,
    passwordHash: user.password_hash,
    organizationId: user.first_organization_id,
    refreshNumber: FIRST_REFRESH,
    expiresAt: refreshExpiry(now),
    now,
  });
  if (!inserted) throw wrongLogin();
  return issueTokens(identity, { userId: user.id, sessionId, refreshNumber: FIRST_REFRESH, now });
}

function secondFactorRequired(code: string | undefined): Problem {
  const wrong = code === undefined ? {} : { code: 'is wrong or was used before' };
  return new Problem(401, 'Second factor required', { totp: true, ...wrong });
}

function wrongLogin(): Problem {
  return new Problem(401, 'Invalid email or password', {});
}
