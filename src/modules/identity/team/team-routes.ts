import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { etagOf, preconditionFailed, versionCheck } from '../../../platform/http/preconditions.ts';
import { conflict, tooManyRequests } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { callerNetwork } from '../caller-network.ts';
import { open, tenant } from '../gate/access.ts';
import { requireLiveToken } from '../gate/require-live-token.ts';
import type { Identity } from '../identity.ts';
import { createBrowserSessions } from '../logins/browser-session.ts';
import { wrongLogin } from '../logins/verify-account.ts';
import { resetNotFound, resetPassword } from '../passwords/reset-password.ts';
import { TRIES_PER_ADDRESS, WINDOW_MS } from '../passwords/wrong-passwords.ts';
import { principalOf, tenantOf } from '../principal.ts';
import { SessionHeaders, TokensAnswer } from '../schema.ts';
import { clientOf } from '../sessions/client.ts';
import type { IdentitySettings } from '../settings.ts';
import { acceptInvitation, invitationNotFound } from './accept-invitation.ts';
import { changeMember } from './change-member.ts';
import { createMemberReset, memberElsewhere, ownAccount, stillInvited } from './create-member-reset.ts';
import { inviteMember } from './invite-member.ts';
import { inviteUrl, linkBaseOf, resetLinkShape } from './link-base.ts';
import { linkGone } from './link-state.ts';
import { listMembers } from './list-members.ts';
import { removeMember } from './remove-member.ts';
import { lastOwner } from './require-owner-left.ts';
import { accountChanged } from './reset-account.ts';
import { teamAuthorOf } from './team-author.ts';
import { getMember, memberNotFound, memberShape } from './team-member.ts';
import * as shapes from './team-schema.ts';

const tags = ['Team'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const wholeOrganization = { branchConfined: 'refused' } as const;

export function teamRoutes(app: App, platform: Platform, settings: IdentitySettings, identity: Identity): void {
  const { sql, clock, idempotentWrite } = platform;
  const { loginRateLimitPerMinute: max, publicUrl } = settings;
  const { answerTokens } = createBrowserSessions(publicUrl);
  const rateLimit = max > 0 ? { max, timeWindow: 60_000 } : false;

  app.get(
    '/members',
    {
      config: { access: tenant('read', 'Settings', wholeOrganization) },
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'Members and pending invitations, newest first unless sorted otherwise',
        description: 'An invitation stands here with the status invited until it is accepted, withdrawn or expired.',
        querystring: shapes.MemberQuery,
        response: { 200: shapes.MemberList, ...refusals },
      },
    },
    async (request) => {
      const { organizationId } = tenantOf(request);
      const { rows, total, paging } = await listMembers(sql, organizationId, request.query, clock.now());
      return listEnvelope(rows.map(memberShape), total, paging);
    },
  );

  app.post(
    '/members',
    {
      config: { access: tenant('create', 'Settings', wholeOrganization) },
      schema: {
        tags,
        operationId: 'inviteMember',
        summary: 'Invite a member; the link is shown once',
        description:
          'No e-mail is sent: hand over `invite_url`, which works once and for 7 days. An address that is a member or has a ' +
          'pending invitation is 409, and so is a team of 1,000. Only owners invite owners, and callers cannot give a grant that ' +
          'they do not hold themselves, whether by name or by role (403).',
        takes: ['idempotency-key'],
        refuses: [conflict('Already invited', { email: 'sara@example.com' })],
        body: shapes.NewMemberBody,
        response: { 201: shapes.MemberInvited, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope } = tenantOf(request);
      const { email, role, branch_iv_id, grants_added, grants_withheld } = request.body;
      const base = linkBaseOf(request, publicUrl);
      const member = {
        email,
        role,
        branchIvId: branch_iv_id ?? null,
        grantsAdded: grants_added ?? [],
        grantsWithheld: grants_withheld ?? [],
      };
      return idempotentWrite(request, reply, scope, async (tx) => {
        await requireLiveToken(tx, principalOf(request));
        const { row, token } = await inviteMember(tx, organizationId, teamAuthorOf(request), member, clock.now());
        const data = { ...memberShape(row), invite_url: inviteUrl(base, token) };
        return { status: 201, body: mutationEnvelope(clock, 'Member invited', data) };
      });
    },
  );

  app.get(
    '/members/:id',
    {
      config: { access: tenant('read', 'Settings', wholeOrganization) },
      schema: {
        tags,
        operationId: 'getMember',
        summary: 'One member or pending invitation',
        description: 'The id stays the same when an invitation is accepted.',
        refuses: [memberNotFound(shapes.memberId)],
        answersEtag: true,
        params: shapes.MemberParams,
        response: { 200: shapes.Member, ...refusals },
      },
    },
    async (request, reply) => {
      const row = await getMember(sql, tenantOf(request).organizationId, request.params.id, clock.now());
      reply.header('etag', etagOf(row.updated));
      return memberShape(row);
    },
  );

  app.patch(
    '/members/:id',
    {
      config: { access: tenant('update', 'Settings', wholeOrganization) },
      schema: {
        tags,
        operationId: 'changeMember',
        summary: 'Change role, branch or grants of a member or of a pending invitation',
        description:
          'Takes effect at once. The last owner can be neither demoted nor confined to a branch nor lose a grant on ' +
          'Settings (409). Only owners change owners, and callers cannot give a grant that they do not hold (403).',
        takes: ['if-match'],
        answersEtag: true,
        refuses: [
          memberNotFound(shapes.memberId),
          lastOwner(shapes.memberId),
          preconditionFailed(shapes.memberExample),
        ],
        params: shapes.MemberParams,
        body: shapes.MemberChangeBody,
        response: { 200: shapes.MemberSaved, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId } = tenantOf(request);
      const {
        role,
        branch_iv_id: branchIvId,
        grants_added: grantsAdded,
        grants_withheld: grantsWithheld,
      } = request.body;
      const checkVersion = versionCheck(request.headers['if-match'], memberShape);
      const change = { role, branchIvId, grantsAdded, grantsWithheld, checkVersion };
      const row = await inTransaction(sql, async (tx) => {
        await requireLiveToken(tx, principalOf(request));
        return changeMember(tx, organizationId, teamAuthorOf(request), request.params.id, change, clock.now());
      });
      if (row.user_id !== null) identity.cache.forget([row.user_id]);
      reply.header('etag', etagOf(row.updated));
      return mutationEnvelope(clock, 'Member updated', memberShape(row));
    },
  );

  app.delete(
    '/members/:id',
    {
      config: { access: tenant('delete', 'Settings', wholeOrganization) },
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Remove a member, or withdraw a pending invitation',
        description:
          'The account stays; session tokens that it made for the organization end. The last owner cannot be removed ' +
          '(409), and only owners remove owners (403).',
        refuses: [memberNotFound(shapes.memberId), lastOwner(shapes.memberId)],
        params: shapes.MemberParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId } = tenantOf(request);
      const row = await inTransaction(sql, (tx) =>
        removeMember(tx, organizationId, teamAuthorOf(request), request.params.id, clock.now()),
      );
      if (row.user_id !== null) identity.cache.forget([row.user_id]);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/members/:id/password-reset',
    {
      config: { access: tenant('update', 'Settings', wholeOrganization) },
      schema: {
        tags,
        operationId: 'createMemberReset',
        summary: 'Create a link by which a member chooses a new password; it is shown once',
        description:
          'No e-mail is sent: hand over `reset_url`. Earlier links of the member end; the old password works until the link is used, ' +
          'and a second factor stays. Returns 409 for your own account, for a pending invitation, and for an account that is a ' +
          'member of another organization too, for which the operator of the service creates the link. Only owners create links for ' +
          'owners, and callers need every grant of the member themselves (403).',
        takes: ['idempotency-key'],
        refuses: [
          memberNotFound(shapes.memberId),
          memberElsewhere(shapes.memberId),
          ownAccount(shapes.memberId),
          stillInvited(shapes.memberId),
        ],
        params: shapes.MemberParams,
        response: { 201: shapes.ResetLink, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope } = tenantOf(request);
      const base = linkBaseOf(request, publicUrl);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const made = await createMemberReset(tx, organizationId, teamAuthorOf(request), request.params.id, clock.now());
        await requireLiveToken(tx, principalOf(request));
        return { status: 201, body: resetLinkShape(base, made) };
      });
    },
  );

  app.post(
    '/auth/invitations/accept',
    {
      config: { access: open, rateLimit },
      schema: {
        tags,
        operationId: 'acceptInvitation',
        summary: 'Join an organization; answers with tokens like a login',
        description:
          'An address that has an account accepts with the password of it, which stays as it is (401 when it is wrong; the ' +
          'link goes on working). Any other chooses name and password and has an account from then on. `name` and a ' +
          'password of at least 8 characters are required of both. The link of an operator resets an account that was never ' +
          'verified, one that came into being by the link of a merchant: name and password are new, earlier logins, ' +
          'session tokens and the second factor end, and its memberships elsewhere become pending invitations again. A ' +
          'link that was used, withdrawn or has expired is 410, one that never was 404.',
        headers: SessionHeaders,
        refuses: [
          wrongLogin(),
          invitationNotFound(),
          conflict('Already a member', { email: 'sara@example.com' }),
          accountChanged(),
          linkGone('The invitation'),
          tooManyRequests(TRIES_PER_ADDRESS, WINDOW_MS),
        ],
        body: shapes.AcceptanceBody,
        response: { 200: TokensAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const { token, name, password, code } = request.body;
      const client = clientOf(request);
      const address = callerNetwork(client.ip);
      const acceptance = { token, name, password, code, address, client, requestId: request.id };
      return answerTokens(request, reply, await acceptInvitation(identity, acceptance));
    },
  );

  app.post(
    '/auth/password/reset',
    {
      config: { access: open, rateLimit },
      schema: {
        tags,
        operationId: 'resetPassword',
        summary: 'Set a new password with a reset link; every earlier token of the user ends',
        description:
          'The link works once and for 24 hours; one that was used, replaced or has expired is 410, one that never was 404. ' +
          'The link of an organization also ends when its member leaves or joins another organization. Log in afterwards: a second factor stays as it is.',
        refuses: [resetNotFound(), linkGone('The password reset'), tooManyRequests(max, 60_000)],
        body: shapes.PasswordResetBody,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { token, password } = request.body;
      const { ip, id: requestId } = request;
      await resetPassword(identity, { token, password, address: callerNetwork(ip), ip, requestId });
      return reply.code(204).send(null);
    },
  );
}
