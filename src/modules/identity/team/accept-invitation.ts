import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { conflict, notFound, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit, SYSTEM_ACTOR } from '../../audit/index.ts';
import type { Identity } from '../identity.ts';
import { FIRST_REFRESH, issueTokens, refreshExpiry, type Tokens } from '../logins/issue-tokens.ts';
import { verifyAccount, wrongLogin } from '../logins/verify-account.ts';
import { hashToken } from '../opaque-tokens.ts';
import { hashPassword } from '../passwords/passwords.ts';
import type { Client } from '../sessions/client.ts';
import { findUserByEmail, insertUser, type UserRow } from '../sql/accounts.ts';
import { endInvitation, findInvitation, type InvitationRow } from '../sql/invitations.ts';
import { insertLoginSession } from '../sql/login-sessions.ts';
import { insertMembership, type MembershipRow } from '../sql/team.ts';
import { lockOrganization } from '../sql/tokens.ts';
import { invitationExpiry } from './invite-member.ts';
import { linkGone, requireOpen } from './link-state.ts';
import { claimAccount, returnMemberships } from './reset-account.ts';

export type Acceptance = {
  token: string;
  name: string;
  password: string;
  code: string | undefined;
  /** For the turns of password work and the count of wrong ones. */
  address: string;
  client: Client;
  requestId: string;
};

/**
 * `known` has shown the password of the account, which stays as it is. `new` has none yet. `reset` holds an operator's link to
 * an account that was never verified, and takes it over.
 */
type Guest = { kind: 'known' | 'new' | 'reset'; userId: string; email: string; passwordHash: string; name: string };

/**
 * A verified account joins by its own acceptance, with its password. An account that came into being by a merchant's link was
 * never verified: that link was shown to the merchant. Otherwise its holder could keep the real person out of what the
 * operator opens for them, so the operator's link resets it.
 */
export async function acceptInvitation(identity: Identity, acceptance: Acceptance): Promise<Tokens> {
  const { sql, clock, cache } = identity;
  const invitation = await findInvitation(sql, hashToken(acceptance.token));
  if (invitation === undefined) throw invitationNotFound();
  requireOpen(invitation, 'The invitation', clock.now());
  // Before the account is looked up: the author of the link must not learn from a refusal whether there is one.
  if (acceptance.name.trim() === '') throw unprocessable({ name: 'is required' });

  const account = await findUserByEmail(sql, invitation.email);
  const guest = await admit(identity, invitation, account, acceptance);
  const session = await inTransaction(sql, (tx) => join(tx, invitation, guest, acceptance, clock.now()));
  cache.forget([guest.userId]);
  return issueTokens(identity, { ...session, userId: guest.userId, refreshNumber: FIRST_REFRESH });
}

async function admit(
  identity: Identity,
  invitation: InvitationRow,
  account: UserRow | undefined,
  acceptance: Acceptance,
): Promise<Guest> {
  const isReset = account?.verified_at === null && invitation.by_operator;
  if (account !== undefined && !isReset) return recognise(identity, account, acceptance);
  if (account !== undefined && !account.is_active) throw wrongLogin();
  const { name, password, address } = acceptance;
  const passwordHash = await identity.passwordHashQueue.run(address, () => hashPassword(password));
  const { email } = account ?? invitation;
  return { kind: isReset ? 'reset' : 'new', userId: account?.id ?? newId(), email, passwordHash, name };
}

async function recognise(identity: Identity, account: UserRow, acceptance: Acceptance): Promise<Guest> {
  const { id: userId, email, password_hash: passwordHash } = account;
  await verifyAccount(identity, account, { ...acceptance, email });
  if (account.operator_type === 'Commercial') {
    throw conflict('Operators join no organization', { email: 'is an account of the operator' });
  }
  return { kind: 'known', userId, email, passwordHash, name: '' };
}

/** A user is locked before organizations, and those in the order of their ids, as everywhere. */
async function join(
  tx: Tx,
  { organization_id: organizationId, id, email, by_operator: byOperator }: InvitationRow,
  guest: Guest,
  { client, requestId }: Acceptance,
  now: Date,
): Promise<{ sessionId: string; now: Date }> {
  const { kind, userId, passwordHash, name } = guest;
  const sessionId = newId();
  const refresh = { refreshNumber: FIRST_REFRESH, expiresAt: refreshExpiry(now) };
  const logIn = () =>
    insertLoginSession(tx, { id: sessionId, userId, passwordHash, organizationId, client, ...refresh, now });

  if (kind === 'known' && !(await logIn())) throw wrongLogin();
  const former = kind === 'reset' ? await claimAccount(tx, guest, now) : [];
  const organizations = [organizationId, ...former.map((membership) => membership.organization_id)].toSorted();
  for (const each of organizations) await lockOrganization(tx, each);
  const standing = await endInvitation(tx, organizationId, id, now);
  if (standing === undefined) throw linkGone('The invitation');
  if (kind === 'new') {
    const verifiedAt = byOperator ? now : null;
    const isFree = await insertUser(tx, { id: userId, email, name, passwordHash, verifiedAt, now });
    if (!isFree)
      throw conflict('Account was made meanwhile', { email: 'has an account now; accept with its password' });
  }
  if (kind !== 'known') await logIn();
  if (!(await insertMembership(tx, organizationId, { ...standing, id, userId, now }))) {
    throw conflict('Already a member', { email });
  }
  await returnMemberships(tx, former, guest, { expiresAt: invitationExpiry(now), now });

  const actor = { kind: 'user', id: userId, name: email, ip: client.ip, requestId } as const;
  const accepted = { action: 'accept', resource: 'Settings', resourceId: id };
  for (const each of organizations) {
    const left = former.find((membership) => membership.organization_id === each);
    if (left === undefined) await recordAudit(tx, each, actor, [accepted], now);
    else await recordReturn(tx, left, now);
  }
  return { sessionId, now };
}

/** By the service and not by the person: the organization left behind is not to see their network address. */
async function recordReturn(tx: Tx, { organization_id: organizationId, id }: MembershipRow, now: Date): Promise<void> {
  const entry = { action: 'reset-account', resource: 'Settings', resourceId: id, changedFields: ['status'] };
  await recordAudit(tx, organizationId, SYSTEM_ACTOR, [entry], now);
}

export function invitationNotFound(): Problem {
  return notFound('Invitation not found', { token: 'is not known' });
}
