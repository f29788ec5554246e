import type { Tx } from '../../../platform/database/index.ts';
import { conflict, type Problem } from '../../../platform/http/problem.ts';
import { type Actor, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import { endTokens, listOrganizationsOf } from '../sql/accounts.ts';
import { lockUser } from '../sql/password-resets.ts';
import { dropSecondFactor } from '../sql/second-factors.ts';

/**
 * The operator takes away a second factor whose phone is lost, or which another person has enrolled. Logins and session
 * tokens end with it: a thief's would otherwise stay in, and could enrol again. The password stays; where it may be known to
 * others, `user reset-password` comes with it.
 */
export async function resetTotp(tx: Tx, actor: Actor, userId: string, now: Date): Promise<void> {
  await lockUser(tx, userId);
  if (!(await dropSecondFactor(tx, userId))) throw nothingToReset();
  await endTokens(tx, userId, now);
  const entry = { action: 'reset-totp', resource: 'Settings', resourceId: userId, changedFields: ['totp'] };
  const organizations = await listOrganizationsOf(tx, userId);
  for (const each of organizations.length === 0 ? [OPERATOR_SCOPE] : organizations) {
    await recordAudit(tx, each, actor, [entry], now);
  }
}

export function nothingToReset(): Problem {
  return conflict('No second factor is enabled', { email: 'has no second factor' });
}
