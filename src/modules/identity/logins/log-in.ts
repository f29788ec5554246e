import { newId } from '../../../platform/ids.ts';
import type { Identity } from '../identity.ts';
import type { Client } from '../sessions/client.ts';
import { findUserByEmail } from '../sql/accounts.ts';
import { insertLoginSession } from '../sql/login-sessions.ts';
import { FIRST_REFRESH, issueTokens, refreshExpiry, type Tokens } from './issue-tokens.ts';
import { type LoginAttempt, verifyAccount, wrongLogin } from './verify-account.ts';

export async function logIn(identity: Identity, attempt: LoginAttempt, client: Client): Promise<Tokens> {
  const { sql, clock } = identity;
  const user = await verifyAccount(identity, await findUserByEmail(sql, attempt.email), attempt);

  const now = clock.now();
  const sessionId = newId();
  const inserted = await insertLoginSession(sql, {
    id: sessionId,
    userId: user.id,
    passwordHash: user.password_hash,
    organizationId: user.first_organization_id,
    refreshNumber: FIRST_REFRESH,
    client,
    expiresAt: refreshExpiry(now),
    now,
  });
  if (!inserted) throw wrongLogin();
  return issueTokens(identity, { userId: user.id, sessionId, refreshNumber: FIRST_REFRESH, now });
}
