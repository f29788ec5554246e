import type { FastifyRequest } from 'fastify';
import { onBehalfOf } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Access, securityOf } from './access.ts';
import { type AskAgain, createGate, createRepeatedGate } from './authenticate.ts';
import { createIdentityCache, type IdentityCache } from './identity-cache.ts';
import type { Identity } from './issue-tokens.ts';
import { createJwts } from './jwt.ts';
import { createPasswordLane } from './password-lane.ts';
import { createHolderReads } from './read-holders.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { identityRoutes } from './routes.ts';
import type { IdentitySettings } from './settings.ts';
import { createWrongPasswords } from './wrong-passwords.ts';

export { type Access, anyMember, commercial, open, signedIn, tenant } from './access.ts';
export type { AskAgain } from './authenticate.ts';
export { describeAccess } from './describe-access.ts';
export { forgetOldTokens } from './forget-old-tokens.ts';
export { issueApiKey } from './issue-api-key.ts';
export { issueSessionToken } from './issue-session-token.ts';
export * from './manage-accounts.ts';
export { MIN_PASSWORD_CHARACTERS } from './passwords.ts';
export { ACTIONS, type Action, isGrant, RESOURCES, type Resource, ROLES } from './permissions.ts';
export { actorOf, principalOf, requireGrant, type Tenant, tenantOf, userScope } from './principal.ts';
export { type IdentitySettings, readIdentitySettings } from './settings.ts';
export { countOrganizations, listOrganizationIds, readTimeZones } from './sql/organizations.ts';
export { limitTenants } from './tenant-rate-limit.ts';

const API_PREFIX = '/api/v1';
const AUTH_PREFIX = `${API_PREFIX}/auth/`;
const STRANGERS = 'strangers';

/** From here on the request uses its own organization's share of the database; all who have none have one together. */
function asCaller({ principal }: FastifyRequest, _reply: unknown, done: () => void): void {
  onBehalfOf(principal?.membership?.organization.id ?? principal?.user?.id ?? STRANGERS, done);
}

/**
 * Puts the gate before every route that comes after it, and refuses to start with a route that does not say who may
 * call it.
 */
export function installIdentity(
  app: App,
  platform: Platform,
  settings: IdentitySettings,
): { cache: IdentityCache; askAgain: AskAgain; routes(scope: App): void } {
  const cache = createIdentityCache(platform.backgroundSql);
  const jwts = createJwts(platform.secret);
  const identity: Identity = {
    sql: platform.sql,
    clock: platform.clock,
    cache,
    jwts,
    refreshTokens: createRefreshTokens(platform.secret),
    passwordLane: createPasswordLane(),
    wrongPasswords: createWrongPasswords(platform.clock),
  };
  const holders = createHolderReads(platform.sql);

  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    const access: Access | undefined = route.config?.access;
    if (!route.url.startsWith(API_PREFIX)) return;
    if (access === undefined) throw new Error(`${route.method} ${route.url} does not say who may call it`);
    if (route.url.startsWith(AUTH_PREFIX)) route.bodyLimit ??= BODY_LIMIT_BYTES.credentials;
    if (route.schema) route.schema.security = securityOf(access);
    route.preHandler = [asCaller, ...[route.preHandler ?? []].flat()];
  });
  app.addHook('onRequest', createGate({ holders, clock: platform.clock, cache, jwts }));

  const askAgain = createRepeatedGate({ holders, clock: platform.clock, cache, jwts });
  return { cache, askAgain, routes: (scope) => identityRoutes(scope, platform, settings, identity) };
}
