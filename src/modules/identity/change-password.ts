import { inTransaction } from '../../platform/database/index.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import type { Identity } from './issue-tokens.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { lockUser, replacePassword } from './sql/accounts.ts';

/** Every token the user holds ends with the old password, this one included. */
export async function changePassword(
  identity: Identity,
  userId: string,
  passwords: { current: string; next: string },
): Promise<void> {
  const nextHash = await hashPassword(passwords.next);
  await inTransaction(identity.sql, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === undefined || !(await passwordMatches(passwords.current, user.password_hash))) {
      throw unprocessable({ current_password: 'is wrong' });
    }
    await replacePassword(tx, userId, nextHash, identity.clock.now());
  });
  identity.cache.forgetAll();
}
