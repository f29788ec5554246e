import { newId } from '../../../platform/ids.ts';
import type { Identity } from '../identity.ts';
import { findUserByEmail, insertLoginSession } from '../sql/accounts.ts';
import { FIRST_REFRESH, issueTokens, refreshExpiry, type Tokens } from './issue-tokens.ts';
import { type Proof, proveAccount, wrongLogin } from './prove-account.ts';

export async function logIn(identity: Identity, proof: Proof): Promise<Tokens> {
  const { sql, clock } = identity;
  const user = await proveAccount(identity, await findUserByEmail(sql, proof.email), proof);

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
