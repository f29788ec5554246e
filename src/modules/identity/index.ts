import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Access, securityOf } from './access.ts';
import { createGate } from './authenticate.ts';
import { createIdentityCache, type IdentityCache } from './identity-cache.ts';
import { createJwts } from './jwt.ts';
import { identityRoutes } from './routes.ts';
import type { IdentitySettings } from './settings.ts';

export { type Access, commercial, open, signedIn, tenant } from './access.ts';
export { issueApiKey } from './issue-api-key.ts';
export { issueSessionToken } from './issue-session-token.ts';
export * from './manage-accounts.ts';
export { MIN_PASSWORD_CHARACTERS } from './passwords.ts';
export { ACTIONS, type Action, isGrant, RESOURCES, ROLES } from './permissions.ts';
export { principalOf, type Tenant, tenantOf, userScope } from './principal.ts';
export { type IdentitySettings, readIdentitySettings } from './settings.ts';
export { limitTenants } from './tenant-rate-limit.ts';

const API_PREFIX = '/api/v1';
const AUTH_PREFIX = `${API_PREFIX}/auth/`;

/**
 * Puts the gate before every route that comes after it, and refuses to start with a route that does not say who may
 * call it.
 */
export function installIdentity(
  app: App,
  platform: Platform,
  settings: IdentitySettings,
): { cache: IdentityCache; routes(scope: App): void } {
  const cache = createIdentityCache(platform.sql);
  const jwts = createJwts(platform.secret);
  const identity = { sql: platform.sql, clock: platform.clock, cache, jwts };

  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    const access: Access | undefined = route.config?.access;
    if (!route.url.startsWith(API_PREFIX)) return;
    if (access === undefined) throw new Error(`${route.method} ${route.url} does not say who may call it`);
    if (route.url.startsWith(AUTH_PREFIX)) route.bodyLimit ??= BODY_LIMIT_BYTES.credentials;
    if (route.schema) route.schema.security = securityOf(access);
  });
  app.addHook('onRequest', createGate({ sql: platform.sql, clock: platform.clock, cache, jwts }));

  return { cache, routes: (scope) => identityRoutes(scope, platform, settings, identity) };
}
