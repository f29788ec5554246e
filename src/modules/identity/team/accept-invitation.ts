import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { conflict, notFound, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Identity } from '../identity.ts';
import { FIRST_REFRESH, issueTokens, refreshExpiry, type Tokens } from '../logins/issue-tokens.ts';
import { proveAccount, wrongLogin } from '../logins/prove-account.ts';
import { hashToken } from '../opaque-tokens.ts';
import { hashPassword, MIN_PASSWORD_CHARACTERS } from '../passwords/passwords.ts';
import { findUserByEmail, insertLoginSession, insertUser, type UserRow } from '../sql/accounts.ts';
import { endInvitation, findInvitation, type InvitationRow } from '../sql/invitations.ts';
import { insertMembership } from '../sql/team.ts';
import { lockOrganization } from '../sql/tokens.ts';
import { linkGone, requireOpen } from './link-state.ts';

export type Acceptance = {
  token: string;
  name: string | undefined;
  password: string;
  code: string | undefined;
  /** For the turns of password work and the count of wrong ones. */
  address: string;
  ip: string;
  requestId: string;
};

/** Whoever comes with the link, and has proved who they are by now. */
type Guest = { userId: string; passwordHash: string; name: string; isNew: boolean };

/** An address with an account joins with the password it has, which stays; any other chooses one and has an account from now on. */
export async function acceptInvitation(identity: Identity, acceptance: Acceptance): Promise<Tokens> {
  const { sql, clock, cache } = identity;
  const invitation = await findInvitation(sql, hashToken(acceptance.token));
  if (invitation === undefined) throw invitationNotFound();
  requireOpen(invitation, 'The invitation', clock.now());

  const account = await findUserByEmail(sql, invitation.email);
  const guest =
    account === undefined ? await welcome(identity, acceptance) : await recognise(identity, account, acceptance);
  const session = await inTransaction(sql, (tx) => join(tx, invitation, guest, acceptance, clock.now()));
  cache.forget([guest.userId]);
  return issueTokens(identity, { ...session, userId: guest.userId, refreshNumber: FIRST_REFRESH });
}

async function welcome({ passwordLane }: Identity, { name, password, address }: Acceptance): Promise<Guest> {
  if (name === undefined || name.trim() === '') throw unprocessable({ name: 'is required' });
  if (password.length < MIN_PASSWORD_CHARACTERS) {
    throw unprocessable({ password: `must have at least ${MIN_PASSWORD_CHARACTERS} characters` });
  }
  const passwordHash = await passwordLane.run(address, () => hashPassword(password));
  return { userId: newId(), passwordHash, name, isNew: true };
}

async function recognise(identity: Identity, account: UserRow, acceptance: Acceptance): Promise<Guest> {
  await proveAccount(identity, account, { ...acceptance, email: account.email });
  if (account.operator_type === 'Commercial') {
    throw conflict('Operators join no organization', { email: 'is an account of the operator' });
  }
  return { userId: account.id, passwordHash: account.password_hash, name: '', isNew: false };
}

/** A user is held before its organization, as everywhere; a new one is held by nobody else. */
async function join(
  tx: Tx,
  { organization_id: organizationId, id, email }: InvitationRow,
  { userId, passwordHash, name, isNew }: Guest,
  { ip, requestId }: Acceptance,
  now: Date,
): Promise<{ sessionId: string; now: Date }> {
  const sessionId = newId();
  const refresh = { refreshNumber: FIRST_REFRESH, expiresAt: refreshExpiry(now) };
  const logIn = () => insertLoginSession(tx, { id: sessionId, userId, passwordHash, organizationId, ...refresh, now });

  if (!isNew && !(await logIn())) throw wrongLogin();
  await lockOrganization(tx, organizationId);
  const standing = await endInvitation(tx, organizationId, id, now);
  if (standing === undefined) throw linkGone('The invitation');
  if (isNew) {
    const isFree = await insertUser(tx, { id: userId, email, name, passwordHash, now });
    if (!isFree)
      throw conflict('Account was made meanwhile', { email: 'has an account now; accept with its password' });
    await logIn();
  }
  if (!(await insertMembership(tx, organizationId, { ...standing, id, userId, now }))) {
    throw conflict('Already a member', { email });
  }
  const actor = { kind: 'user', id: userId, name: email, ip, requestId } as const;
  await recordAudit(tx, organizationId, actor, [{ action: 'accept', resource: 'Settings', resourceId: id }], now);
  return { sessionId, now };
}

export function invitationNotFound(): Problem {
  return notFound('Invitation not found', { token: 'is not known' });
}
