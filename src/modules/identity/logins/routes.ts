import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Tx } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { PageQuery, readPaging } from '../../../platform/http/paging.ts';
import {
  conflict,
  notFound,
  Problem,
  tooManyRequests,
  unauthorized,
  unprocessable,
} from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { recordAudit } from '../../audit/index.ts';
import { createReadBilling } from '../../commercial/billing/index.ts';
import { callerNetwork } from '../caller-network.ts';
import { open, signedIn } from '../gate/access.ts';
import { defaultOrganizationOf, organizationNotAccessible } from '../gate/authenticate.ts';
import { notAccessible } from '../gate/describe-access.ts';
import { requireLiveToken } from '../gate/require-live-token.ts';
import type { Identity } from '../identity.ts';
import { apiKeyRoutes } from '../keys/api-key-routes.ts';
import { changePassword } from '../passwords/change-password.ts';
import { TRIES_PER_ADDRESS, WINDOW_MS } from '../passwords/wrong-passwords.ts';
import { actorOf, principalOf, userOf, userScope } from '../principal.ts';
import * as shapes from '../schema.ts';
import { totpRoutes } from '../second-factor/totp-routes.ts';
import { clientOf } from '../sessions/client.ts';
import { sessionRoutes } from '../sessions/routes.ts';
import type { IdentitySettings } from '../settings.ts';
import { lockStanding } from '../sql/api-keys.ts';
import { listSessionTokens, type SessionTokenRow } from '../sql/tokens.ts';
import { createBrowserSessions, findRefreshCookie, isBrowserSession } from './browser-session.ts';
import { checkCredentials } from './check-credentials.ts';
import { describeAccount } from './describe-account.ts';
import { issueSessionToken } from './issue-session-token.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { refreshLogin } from './refresh-login.ts';
import { endSessionToken } from './revoke-tokens.ts';
import { enforceSessionTokenLimit, MAX_SESSION_TOKENS } from './token-limits.ts';
import { wrongLogin } from './verify-account.ts';

const tags = ['Identity'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({
  id: Type.String({ description: 'Its id, as the list shows it', examples: ['0193a1f0-7c00-7000-8000-000000000001'] }),
});

export function identityRoutes(app: App, platform: Platform, settings: IdentitySettings, identity: Identity): void {
  const { sql, clock, idempotentWrite } = platform;
  const readBilling = createReadBilling(platform);
  const { answerTokens, clearRefreshCookie } = createBrowserSessions(settings.publicUrl);
  const loginLimit = settings.loginRateLimitPerMinute;
  const rateLimit = loginLimit > 0 ? { max: loginLimit, timeWindow: 60_000 } : false;

  app.post(
    '/auth/login',
    {
      config: { access: open, rateLimit },
      schema: {
        tags,
        operationId: 'logIn',
        summary: 'Exchange email and password for tokens',
        description:
          'The access token is good for an hour, the refresh token for one exchange. Ten wrong passwords for an account from one network within five minutes are 429, whether the account exists or not. ' +
          'An account with a second factor is answered 401 `Second factor required` with `details.totp: true` until a ' +
          'code comes along. With X-Session: cookie the refresh token is set as a cookie instead.',
        headers: shapes.SessionHeaders,
        refuses: [wrongLogin(), tooManyRequests(TRIES_PER_ADDRESS, WINDOW_MS)],
        body: shapes.LoginBody,
        response: { 200: shapes.TokensAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const attempt = { ...request.body, address: callerNetwork(request.ip) };
      const tokens = await logIn(identity, attempt, clientOf(request));
      return answerTokens(request, reply, tokens);
    },
  );

  app.post(
    '/auth/refresh',
    {
      config: { access: open, rateLimit },
      // Where the token comes as a cookie there is nothing to put into a body.
      preValidation: (request, _reply, done) => {
        if (isBrowserSession(request)) request.body ??= {};
        done();
      },
      schema: {
        tags,
        operationId: 'refreshLogin',
        summary: 'Exchange a refresh token for new tokens; it works once',
        description:
          'The token given is used up. One that was used before ends the login, except that for 30 seconds the one before the current gives the same successor again. ' +
          'With X-Session: cookie the token is the cookie that the login has set, whatever the body holds, and the next ' +
          'one is set; without the header the cookie is not looked at.',
        headers: shapes.SessionHeaders,
        refuses: [unauthorized('The refresh token is not valid'), tooManyRequests(loginLimit, 60_000)],
        body: shapes.RefreshBody,
        response: { 200: shapes.TokensAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const token = isBrowserSession(request) ? findRefreshCookie(request) : request.body.refresh_token;
      if (token === undefined) throw noRefreshToken(request);
      return answerTokens(request, reply, await refreshLogin(identity, token, clientOf(request)));
    },
  );

  app.post(
    '/auth/logout',
    {
      config: { access: signedIn },
      schema: {
        tags,
        operationId: 'logOut',
        summary: 'End the token that asks',
        description:
          'A login ends with its refresh token; a session token is revoked. Other tokens of the account stay.',
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      await logOut(identity, principalOf(request), actorOf(request));
      clearRefreshCookie(request, reply);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/auth/password',
    {
      config: { access: signedIn, rateLimit },
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Change the password; every earlier token of the user ends',
        description:
          'Ends every login and session token of the account, the one that asks included. API keys belong to the organization and stay.',
        refuses: [
          unprocessable({ current_password: 'is wrong' }),
          conflict('Password was changed meanwhile', { current_password: 'was changed by another request' }),
          tooManyRequests(TRIES_PER_ADDRESS, WINDOW_MS),
        ],
        body: shapes.PasswordBody,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { current_password: current, new_password: next } = request.body;
      const { id, email } = userOf(request);
      const user = { id, email, address: callerNetwork(request.ip), actor: actorOf(request) };
      await changePassword(identity, user, { current, next });
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/auth/credentials',
    {
      config: { access: { kind: 'credentials' } },
      schema: {
        tags,
        operationId: 'checkCredentials',
        summary: 'What the token stands for, with billing and wallet; also under suspension',
        refuses: [new Problem(500, 'Billing lookup failed')],
        description:
          'Also answers for a revoked token (`token.revoked`) and for a suspended organization. `service_operational` says whether other routes would let it in.',
        response: { 200: shapes.Credentials, ...refusals },
      },
    },
    (request) => checkCredentials(readBilling, principalOf(request)),
  );

  app.get(
    '/auth/account',
    {
      config: { access: { kind: 'signed-in', support: 'allowed' } },
      schema: {
        tags,
        operationId: 'getAccount',
        summary: 'Who is signed in, and what that opens in each organization',
        description:
          'For programs that people use: which organizations to offer, and what to show in each. `grants` is what role, added and withheld grants come to. Also while an organization is suspended. With a support token: the operator, the one organization and `support`.',
        response: { 200: shapes.Account, ...refusals },
      },
    },
    (request) => describeAccount(principalOf(request)),
  );

  app.get(
    '/auth/session-tokens',
    {
      config: { access: signedIn },
      schema: {
        tags,
        operationId: 'listSessionTokens',
        summary: "The caller's session tokens",
        description:
          'Without the tokens themselves, which are shown once. Newest first; revoked and expired ones are listed too.',
        querystring: Type.Object(PageQuery),
        response: { 200: shapes.SessionTokenList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listSessionTokens(sql, userOf(request).id, paging);
      return listEnvelope(rows.map(sessionTokenShape), total, paging);
    },
  );

  app.post(
    '/auth/session-tokens',
    {
      config: { access: signedIn },
      schema: {
        tags,
        operationId: 'createSessionToken',
        summary: 'Issue a session token; it is shown once',
        description:
          'Acts for the organization of X-Organization-ID, or of the token that asks. At most 100 live ones an account.',
        takes: ['idempotency-key', 'x-organization-id'],
        refuses: [notAccessible, conflict('Too many session tokens', { limit: MAX_SESSION_TOKENS })],
        body: shapes.NewSessionTokenBody,
        response: { 201: shapes.NewSessionToken, ...refusals },
      },
    },
    (request, reply) => {
      const principal = principalOf(request);
      const organizationId = defaultOrganizationOf(principal, request);
      return idempotentWrite(request, reply, userScope(request, organizationId), async (tx) => {
        await requireLiveToken(tx, principal);
        const userId = userOf(request).id;
        if (organizationId !== null) await requireMember(tx, organizationId, userId);
        await enforceSessionTokenLimit(tx, userId, clock.now());
        const { row, token } = await issueSessionToken(tx, {
          userId,
          organizationId,
          name: request.body.name ?? '',
          expiresInDays: request.body.expires_in_days ?? null,
          now: clock.now(),
        });
        if (organizationId !== null) {
          const changedFields = ['name', 'expires_in_days'].filter((field) => field in request.body);
          const entry = { action: 'create', resource: 'Settings', resourceId: row.id, changedFields };
          await recordAudit(tx, organizationId, actorOf(request), [entry], clock.now());
        }
        return { status: 201, body: { ...sessionTokenShape(row), token } };
      });
    },
  );

  app.delete(
    '/auth/session-tokens/:id',
    {
      config: { access: signedIn },
      schema: {
        tags,
        operationId: 'revokeSessionToken',
        summary: 'Revoke a session token',
        description: 'From then on it is 401 everywhere, at once.',
        refuses: [notFound('Session token not found', { id: '0193a1f0-7c00-7000-8000-000000000001' })],
        params: IdParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const own = { userId: userOf(request).id, actor: actorOf(request) };
      await endSessionToken(identity, own, request.params.id);
      return reply.code(204).send(null);
    },
  );

  sessionRoutes(app, settings, identity);
  apiKeyRoutes(app, platform, identity);
  totpRoutes(app, platform, identity, rateLimit);
}

/** Held until the token is made: who is removed at the same moment must take none along that a later invitation would bring to life. */
async function requireMember(tx: Tx, organizationId: string, userId: string): Promise<void> {
  if ((await lockStanding(tx, organizationId, userId)) === undefined) throw organizationNotAccessible();
}

function noRefreshToken(request: FastifyRequest): Problem {
  if (!isBrowserSession(request)) return unprocessable({ refresh_token: 'is required' });
  const takes = 'the cookie that a login with X-Session: cookie has set';
  return unauthorized({ takes, came: 'no such cookie' });
}

function sessionTokenShape(row: SessionTokenRow) {
  return { ...row, created: row.created.toISOString(), expires_at: row.expires_at?.toISOString() ?? null };
}
