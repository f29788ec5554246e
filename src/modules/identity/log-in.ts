import { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { FIRST_REFRESH, type Identity, issueTokens, refreshExpiry, type Tokens } from './issue-tokens.ts';
import { passwordMatches, spendPasswordTime } from './passwords.ts';
import { findUserByEmail, insertLoginSession } from './sql/accounts.ts';

export async function logIn(
  identity: Identity,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<Tokens> {
  const { sql, clock, passwordLane, wrongPasswords } = identity;
  const user = await findUserByEmail(sql, email);
  const right = await wrongPasswords.judge(email, address, () =>
    passwordLane.run(address, () =>
      user === undefined ? spendPasswordTime(password) : passwordMatches(password, user.password_hash),
    ),
  );
  if (user === undefined || !right || !user.is_active) throw wrongLogin();

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

export function wrongLogin(): Problem {
  return new Problem(401, 'Invalid email or password', {});
}
