import { inTransaction } from '../../../platform/database/index.ts';
import { conflict, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import type { Actor } from '../../audit/index.ts';
import { auditUser } from '../audit-user.ts';
import { requireLiveToken } from '../gate/require-live-token.ts';
import type { Identity } from '../identity.ts';
import { passwordMatches } from '../passwords/passwords.ts';
import type { Principal } from '../principal.ts';
import { findPasswordHash } from '../sql/accounts.ts';
import { deleteSecondFactor, hasSecondFactor } from '../sql/second-factors.ts';
import { verifySecondFactor } from './verify-second-factor.ts';

/** Asks for both factors once more: a token that was left lying about must not be enough to take one away. */
export async function disableTotp(
  identity: Identity,
  principal: Principal,
  self: { id: string; email: string; address: string; actor: Actor },
  credentials: { password: string; code: string },
): Promise<void> {
  const { sql, clock, cache, passwordHashQueue, wrongPasswords } = identity;
  if (!(await hasSecondFactor(sql, self.id))) throw notEnabled();
  const hash = await findPasswordHash(sql, self.id);
  let wrong = { password: 'is wrong' } as Record<string, string>;
  const right = await wrongPasswords.judge(self.email, self.address, async () => {
    if (!(await passwordHashQueue.run(self.id, () => passwordMatches(credentials.password, hash ?? '')))) return false;
    wrong = { code: 'is wrong or was used before' };
    return verifySecondFactor(identity, self.id, credentials.code);
  });
  if (!right) throw unprocessable(wrong);

  const now = clock.now();
  await inTransaction(sql, async (tx) => {
    await requireLiveToken(tx, principal);
    if (!(await deleteSecondFactor(tx, self.id))) throw notEnabled();
    await auditUser(tx, self.id, self.actor, { action: 'disable', changedFields: ['totp'] }, now);
  });
  cache.forget([self.id]);
}

export function notEnabled(): Problem {
  return conflict('No second factor is enabled', { totp: 'enrol first' });
}
