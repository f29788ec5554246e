import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { commercial } from '../gate/access.ts';
import type { Identity } from '../identity.ts';
import { ACCESS_TOKEN_SECONDS } from '../logins/jwt.ts';
import { actorOf, principalOf, userOf, userScope } from '../principal.ts';
import { findFleetOrganization } from '../sql/fleet.ts';
import { findOpenGrant } from '../sql/support-grants.ts';
import { findLatestRequest } from '../sql/support-requests.ts';
import { grantOpen } from './grant-access.ts';
import { leaveSession, notGranted, openSession, sessionNotFound } from './open-session.ts';
import { organizationNotFound, requestAccess, requestOpen, tooManyRequests } from './request-access.ts';
import * as shapes from './schema.ts';
import { requestNotFound, withdrawRequest } from './settle-request.ts';

const tags = ['Support access'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const access = commercial;

/** The operator's side: ask for access, open an organization that has allowed it, leave it. */
export function supportOperatorRoutes(app: App, platform: Platform, { jwts, cache }: Identity): void {
  const { sql, clock, idempotentWrite } = platform;

  app.get(
    '/commercial/organizations/:id/support-access',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'getOrganizationSupportAccess',
        summary: 'Whether the organization has allowed support, and what became of your last request',
        description: '`request` is the last one of the operator who asks; `grant` is for every operator.',
        refuses: [organizationNotFound(shapes.organizationId)],
        params: shapes.OrganizationParams,
        response: { 200: shapes.OperatorSupportState, ...refusals },
      },
    },
    async (request) => {
      const { id } = request.params;
      const organization = isId(id) ? await findFleetOrganization(sql, id) : undefined;
      if (organization === undefined) throw organizationNotFound(id);
      const now = clock.now();
      const grant = await findOpenGrant(sql, organization.id, now);
      const latest = await findLatestRequest(sql, organization.id, userOf(request).id, now);
      return {
        grant: grant === undefined ? null : shapes.grantShape(grant, now),
        request: latest === undefined ? null : shapes.requestShape(latest),
      };
    },
  );

  app.post(
    '/commercial/organizations/:id/support-request',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'requestSupportAccess',
        summary: 'Ask an organization for access',
        description:
          'Its owners see the request, with the reason and your name, for 7 days. One open request an operator, 5 open and 10 in ' +
          '24 hours an organization; 409 beyond that, and while access is open already.',
        takes: ['idempotency-key'],
        refuses: [
          organizationNotFound(shapes.organizationId),
          grantOpen(shapes.grantId),
          requestOpen(shapes.requestId),
          tooManyRequests(),
        ],
        params: shapes.OrganizationParams,
        body: shapes.NewRequestBody,
        response: { 201: shapes.SupportRequestSaved, ...refusals },
      },
    },
    (request, reply) => {
      const { id } = request.params;
      const { scope } = request.body;
      const reason = request.body.reason.trim();
      if (reason === '') throw unprocessable({ reason: 'must not be empty' });
      const actor = actorOf(request);
      return idempotentWrite(request, reply, userScope(request, id), async (tx) => {
        const row = await requestAccess(tx, id, actor, { scope, reason }, clock.now());
        return { status: 201, body: mutationEnvelope(clock, 'Support access requested', shapes.requestShape(row)) };
      });
    },
  );

  app.delete(
    '/commercial/organizations/:id/support-request',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'withdrawSupportRequest',
        summary: 'Withdraw your open request',
        description: 'Requests of other operators stay.',
        refuses: [requestNotFound(shapes.organizationId)],
        params: shapes.OrganizationParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const actor = actorOf(request);
      await inTransaction(sql, (tx) => withdrawRequest(tx, id.toLowerCase(), actor, clock.now()));
      return reply.code(204).send(null);
    },
  );

  app.put(
    '/commercial/organizations/:id/support-session',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'openSupportSession',
        summary: 'Open an organization that has allowed it',
        description:
          'The token opens this organization within the scope of its grant, and nothing else: what support may not do is 403 ' +
          '`support-not-allowed`, and every write under a read-only grant is 403 `support-read-only`. It ends with the grant, ' +
          'with the token that asked for it, and with `DELETE`, whichever comes first. Asking again gives a new token of the same visit.',
        refuses: [organizationNotFound(shapes.organizationId), notGranted()],
        params: shapes.OrganizationParams,
        response: { 200: shapes.SupportToken, ...refusals },
      },
    },
    async (request) => {
      const operator = { principal: principalOf(request), actor: actorOf(request) };
      const now = clock.now();
      const { id, organizationId, grant, endsAt } = await inTransaction(sql, (tx) =>
        openSession(tx, operator, request.params.id, now),
      );
      const { scope, expires_at: grantExpiresAt } = grant;
      const leftSeconds = Math.floor((endsAt.getTime() - now.getTime()) / 1000);
      return {
        access_token: jwts.sign({
          userId: operator.actor.id,
          sessionId: id,
          now,
          support: { organizationId, endsAt },
        }),
        token_type: 'Bearer' as const,
        expires_in: Math.min(ACCESS_TOKEN_SECONDS, leftSeconds),
        organization_id: organizationId,
        scope,
        grant_expires_at: grantExpiresAt.toISOString(),
      };
    },
  );

  app.delete(
    '/commercial/organizations/:id/support-session',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'leaveSupportSession',
        summary: 'Leave an organization',
        description: 'Ends the visit of the token that asks; the grant stays open. Visits of other logins stay too.',
        refuses: [sessionNotFound(shapes.organizationId)],
        params: shapes.OrganizationParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const operator = { principal: principalOf(request), actor: actorOf(request) };
      const organizationId = request.params.id.toLowerCase();
      cache.forget(await inTransaction(sql, (tx) => leaveSession(tx, operator, organizationId, clock.now())));
      return reply.code(204).send(null);
    },
  );
}
