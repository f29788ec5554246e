import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../../platform/database/index.ts';
import { conflict, forbidden } from '../../../platform/http/problem.ts';
import type { Actor } from '../../audit/index.ts';
import { type Action, grantsOf, missingGrant, type Resource, type Standing } from '../permissions.ts';
import { type Membership, principalOf, tenantOf } from '../principal.ts';
import { findStanding } from '../sql/team.ts';
import { lockOrganization } from '../sql/tokens.ts';

/** On whose word the team changes: a member's, within what they may do themselves, or the operator's at the command line. */
export type TeamAuthor = { actor: Actor; membership?: Pick<Membership, keyof Standing | 'branchId'> };

export function teamAuthorOf(request: FastifyRequest): TeamAuthor {
  return { actor: tenantOf(request).actor, membership: principalOf(request).membership };
}

/**
 * Whatever changes the team comes one after the other, or two owners could demote each other. The gate answers from memory
 * that may be a second old, and what is given here lasts: whose own rights have changed meanwhile has to ask again.
 */
export async function lockTeam(tx: Tx, organizationId: string, { actor, membership }: TeamAuthor): Promise<void> {
  await lockOrganization(tx, organizationId);
  if (membership === undefined) return;
  const now = await findStanding(tx, organizationId, actor.id);
  const isSame =
    now !== undefined &&
    now.role === membership.role &&
    now.branch_id === membership.branchId &&
    areSame(now.grants_added, membership.grantsAdded) &&
    areSame(now.grants_withheld, membership.grantsWithheld);
  if (!isSame)
    throw conflict('Team was changed meanwhile', { account: 'its own rights were changed by another request' });
}

const areSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((grant) => others.includes(grant));

/** Members give only what they hold: by a grant, by a role, or by restoring what was withheld. */
export function requireMayGive({ membership }: TeamAuthor, before: Standing | undefined, after: Standing): void {
  if (membership === undefined) return;
  if (after.role === 'owner' && membership.role !== 'owner') {
    throw forbidden({ role: 'only owners make owners' }).named('owner-required');
  }
  const held = new Set([...grantsOf(membership), ...(before === undefined ? [] : grantsOf(before))]);
  const missing = grantsOf(after).find((grant) => !held.has(grant));
  if (missing === undefined) return;
  const [action, resource] = missing.split(':') as [Action, Resource];
  throw missingGrant(action, resource);
}

export function requireMayTouch({ membership }: TeamAuthor, target: Pick<Standing, 'role'>): void {
  if (membership === undefined || target.role !== 'owner' || membership.role === 'owner') return;
  throw forbidden({ role: 'only owners change or remove owners' }).named('owner-required');
}
