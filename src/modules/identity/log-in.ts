import { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { type Identity, refreshExpiry, type Tokens, tokensAnswer } from './issue-tokens.ts';
import { newRefreshToken } from './opaque-tokens.ts';
import { passwordMatches, spendPasswordTime } from './passwords.ts';
import { findUserByEmail, insertLoginSession } from './sql/accounts.ts';

export async function logIn(identity: Identity, email: string, password: string): Promise<Tokens> {
  const user = await findUserByEmail(identity.sql, email);
  if (user === undefined) {
    await spendPasswordTime(password);
    throw wrongLogin();
  }
  if (!(await passwordMatches(password, user.password_hash)) || !user.is_active) throw wrongLogin();

  const now = identity.clock.now();
  const sessionId = newId();
  const refresh = newRefreshToken(sessionId);
  const inserted = await insertLoginSession(identity.sql, {
    id: sessionId,
    userId: user.id,
    passwordHash: user.password_hash,
    organizationId: user.first_organization_id,
    refreshHash: refresh.hash,
    expiresAt: refreshExpiry(now),
    now,
  });
  if (!inserted) throw wrongLogin();
  return tokensAnswer(identity.jwts.sign({ userId: user.id, sessionId, now }), refresh.token);
}

function wrongLogin(): Problem {
  return new Problem(401, 'Invalid email or password', {});
}
