import type { Tx } from '../../../platform/database/index.ts';
import { notFound, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import type { Actor } from '../../audit/index.ts';
import { findUser, resetTotp } from '../../identity/index.ts';

/**
 * Of members of organizations. Second factors of operators are reset at the command line: with this route, a stolen session of
 * an operator could remove the factor of its own account, for which `/auth/totp/disable` requires password and code.
 */
export async function resetMemberTotp(
  tx: Tx,
  actor: Actor,
  { email, reason }: { email: string; reason: string },
  now: Date,
): Promise<{ userId: string }> {
  if (reason.trim() === '') throw unprocessable({ reason: 'must not be empty' });
  const user = await findUser(tx, email);
  if (user === undefined) throw userNotFound(email);
  if (user.operatorType === 'Commercial') throw ofAnOperator();
  await resetTotp(tx, actor, user.id, now);
  return { userId: user.id };
}

export function userNotFound(email: string): Problem {
  return notFound('User not found', { email });
}

export function ofAnOperator(): Problem {
  return unprocessable({ email: 'is an account of the operator: use dukkan user reset-totp' });
}
