import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { notFound, type Problem } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { type Actor, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import type { Identity } from '../identity.ts';
import { hashToken, newOpaqueToken } from '../opaque-tokens.ts';
import { endTokens } from '../sql/accounts.ts';
import {
  endPasswordReset,
  endPasswordResets,
  findPasswordReset,
  insertPasswordReset,
  listOrganizationsOf,
  lockUser,
  setPasswordHash,
} from '../sql/password-resets.ts';
import { linkGone, requireOpen } from '../team/link-state.ts';
import { hashPassword } from './passwords.ts';

export const PASSWORD_RESET_HOURS = 24;

/** Whose account, and which organization makes the link for its member; null for the operator. */
export type ResetTarget = { userId: string; organizationId: string | null };

/** The maker hands over the link. The newest is the only one that works. */
export async function createPasswordReset(
  tx: Tx,
  actor: Actor,
  { userId, organizationId }: ResetTarget,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  if (!(await lockUser(tx, userId))) throw notFound('User not found', { id: userId });
  const { token, hash } = newOpaqueToken('password_reset');
  const expiresAt = new Date(now.getTime() + PASSWORD_RESET_HOURS * 3_600_000);
  await endPasswordResets(tx, userId, now);
  await insertPasswordReset(tx, { id: newId(), userId, organizationId, hash, expiresAt, now });
  await auditInOrganizations(tx, actor, userId, 'create-password-reset', now);
  return { token, expiresAt };
}

/** Every token the user holds ends with the old password. Hashed before the transaction, as everywhere. */
export async function resetPassword(
  { sql, clock, cache, passwordHashQueue }: Identity,
  request: { token: string; password: string; address: string; ip: string; requestId: string },
): Promise<void> {
  const { token, password, address, ip, requestId } = request;
  const reset = await findPasswordReset(sql, hashToken(token));
  if (reset === undefined) throw resetNotFound();
  requireOpen(reset, 'The password reset', clock.now());
  const passwordHash = await passwordHashQueue.run(address, () => hashPassword(password));

  const userId = reset.user_id;
  await inTransaction(sql, async (tx) => {
    const now = clock.now();
    const byOperator = reset.organization_id === null;
    const email = await setPasswordHash(tx, userId, { passwordHash, byOperator, now });
    if (!byOperator) await requireOnlyMemberOf(tx, userId, reset.organization_id);
    if (!(await endPasswordReset(tx, reset.id, now))) throw linkGone('The password reset');
    await endPasswordResets(tx, userId, now);
    await endTokens(tx, userId, now);
    await auditInOrganizations(
      tx,
      { kind: 'user', id: userId, name: email, ip, requestId },
      userId,
      'reset-password',
      now,
    );
  });
  cache.forget([userId]);
}

/** A member who has left, or has joined another organization since, is no longer one whose password this organization may set. */
async function requireOnlyMemberOf(tx: Tx, userId: string, organizationId: string | null): Promise<void> {
  const organizations = await listOrganizationsOf(tx, userId);
  if (organizations.length !== 1 || organizations[0] !== organizationId) throw linkGone('The password reset');
}

/** An account belongs to no organization: each that it is a member of has it in its record. */
async function auditInOrganizations(tx: Tx, actor: Actor, userId: string, action: string, now: Date): Promise<void> {
  const entry = { action, resource: 'Settings', resourceId: userId };
  const organizations = await listOrganizationsOf(tx, userId);
  for (const each of organizations.length === 0 ? [OPERATOR_SCOPE] : organizations) {
    await recordAudit(tx, each, actor, [entry], now);
  }
}

export function resetNotFound(): Problem {
  return notFound('Password reset not found', { token: 'is not known' });
}
