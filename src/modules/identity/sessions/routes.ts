import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { PageQuery, readPaging } from '../../../platform/http/paging.ts';
import { signedIn } from '../gate/access.ts';
import type { Identity } from '../identity.ts';
import { createBrowserSessions } from '../logins/browser-session.ts';
import { actorOf, type Principal, principalOf, userOf } from '../principal.ts';
import type { IdentitySettings } from '../settings.ts';
import { type LoginSessionRow, listLoginSessions } from '../sql/login-sessions.ts';
import { deviceOf } from './device.ts';
import { endOtherSessions, endSession, sessionNotFound } from './end-sessions.ts';
import { LoginSessionList, SessionParams, sessionId } from './schema.ts';

const tags = ['Identity'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function sessionRoutes(app: App, settings: IdentitySettings, identity: Identity): void {
  const { sql, clock } = identity;
  const { clearRefreshCookie } = createBrowserSessions(settings.publicUrl);

  app.get(
    '/auth/sessions',
    {
      config: { access: signedIn },
      schema: {
        tags,
        operationId: 'listSessions',
        summary: "The caller's logins that can still be used, the one used last first",
        description:
          'A session begins with a login or an accepted invitation and ends with a logout, a new password or 30 days without a ' +
          'refresh. The service has no map of network addresses: `ip` is what is known of the place. Session tokens have a list ' +
          'of their own.',
        querystring: Type.Object(PageQuery),
        response: { 200: LoginSessionList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listLoginSessions(sql, userOf(request).id, paging, clock.now());
      const current = currentSessionOf(principalOf(request));
      return listEnvelope(
        rows.map((row) => sessionShape(row, current)),
        total,
        paging,
      );
    },
  );

  app.delete(
    '/auth/sessions/:id',
    {
      config: { access: signedIn },
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End a session of the caller',
        description:
          'Its access and refresh tokens are 401 at once, on every node. The session that asks may end itself.',
        refuses: [sessionNotFound(sessionId)],
        params: SessionParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await endSession(identity, { userId: userOf(request).id, actor: actorOf(request) }, id);
      if (id.toLowerCase() === currentSessionOf(principalOf(request))) clearRefreshCookie(request, reply);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/auth/sessions',
    {
      config: { access: signedIn },
      schema: {
        tags,
        operationId: 'endOtherSessions',
        summary: 'End every session of the caller but the one that asks',
        description: 'Session tokens stay: they are revoked one by one, or all together by a new password.',
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const caller = { userId: userOf(request).id, actor: actorOf(request) };
      await endOtherSessions(identity, caller, currentSessionOf(principalOf(request)));
      return reply.code(204).send(null);
    },
  );
}

function currentSessionOf({ token }: Principal): string | null {
  return token.type === 'jwt' ? token.id : null;
}

function sessionShape({ id, user_agent, ip, created, last_seen_at }: LoginSessionRow, current: string | null) {
  return {
    id,
    device: deviceOf(user_agent),
    ip,
    created: created.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    current: id === current,
  };
}
