import { inTransaction } from '../../../platform/database/index.ts';
import { conflict, unprocessable } from '../../../platform/http/problem.ts';
import type { Actor } from '../../audit/index.ts';
import { auditUser } from '../audit-user.ts';
import type { Identity } from '../identity.ts';
import { findPasswordHash, replacePassword } from '../sql/accounts.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

/**
 * Every token the user holds ends with the old password, this one included. Both hashes are made before the
 * transaction: in it, 200 wrong passwords at once held every connection of the pool, and other tenants for 50 s.
 */
export async function changePassword(
  identity: Identity,
  user: { id: string; email: string; address: string; actor: Actor },
  passwords: { current: string; next: string },
): Promise<void> {
  const { sql, clock, cache, passwordHashQueue, wrongPasswords } = identity;
  const currentHash = await findPasswordHash(sql, user.id);
  const right = await wrongPasswords.judge(user.email, user.address, () =>
    passwordHashQueue.run(user.id, async () => passwordMatches(passwords.current, currentHash ?? '')),
  );
  if (currentHash === undefined || !right) throw unprocessable({ current_password: 'is wrong' });

  const nextHash = await passwordHashQueue.run(user.id, () => hashPassword(passwords.next));
  const now = clock.now();
  const replaced = await inTransaction(sql, async (tx) => {
    if (!(await replacePassword(tx, user.id, { currentHash, nextHash, now }))) return false;
    await auditUser(tx, user.id, user.actor, { action: 'update', changedFields: ['password'] }, now);
    return true;
  });
  cache.forget([user.id]);
  if (!replaced)
    throw conflict('Password was changed meanwhile', { current_password: 'was changed by another request' });
}
