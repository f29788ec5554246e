import type { Tx } from '../../../platform/database/index.ts';
import { type Problem, unprocessable } from '../../../platform/http/problem.ts';
import type { Actor } from '../../audit/index.ts';
import { createPasswordReset, findUser } from '../../identity/index.ts';
import { userNotFound } from './reset-member-totp.ts';

/**
 * For members of organizations, whichever they belong to. Passwords of operators are reset at the command line: with this route, a
 * stolen session of one operator could take over the account of another.
 */
export async function createUserReset(
  tx: Tx,
  actor: Actor,
  { email, reason }: { email: string; reason: string },
  now: Date,
): Promise<{ userId: string; token: string; expiresAt: Date }> {
  if (reason.trim() === '') throw unprocessable({ reason: 'must not be empty' });
  const user = await findUser(tx, email);
  if (user === undefined) throw userNotFound(email);
  if (user.operatorType === 'Commercial') throw passwordOfAnOperator();
  const made = await createPasswordReset(tx, actor, { userId: user.id, organizationId: null }, now);
  return { userId: user.id, ...made };
}

export function passwordOfAnOperator(): Problem {
  return unprocessable({ email: 'is an account of the operator: use dukkan user reset-password' });
}
