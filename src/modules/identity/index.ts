import type { FastifyRequest } from 'fastify';
import { withTenant } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Access, securityOf } from './gate/access.ts';
import { createGate, createRepeatedGate } from './gate/authenticate.ts';
import { createIdentityCache, type IdentityCache } from './gate/identity-cache.ts';
import { createKeyUses, type KeyUses } from './gate/key-uses.ts';
import { createLastSeen, type LastSeen } from './gate/last-seen.ts';
import { createHolderReads } from './gate/read-holders.ts';
import { createRightsWatch, type RightsWatch } from './gate/watch-rights.ts';
import type { Identity } from './identity.ts';
import { createJwts } from './logins/jwt.ts';
import { createRefreshTokens } from './logins/refresh-tokens.ts';
import { identityRoutes } from './logins/routes.ts';
import { createPasswordHashQueue } from './passwords/password-hash-queue.ts';
import { createWrongPasswords } from './passwords/wrong-passwords.ts';
import type { IdentitySettings } from './settings.ts';
import { supportOperatorRoutes } from './support/operator-routes.ts';
import { createSupportRecorder } from './support/record-writes.ts';
import { supportRoutes } from './support/routes.ts';
import { organizationRoutes } from './team/organization-routes.ts';
import { teamRoutes } from './team/team-routes.ts';

export { forgetOldTokens } from './forget-old-tokens.ts';
export { type Access, anyMember, commercial, open, signedIn, tenant } from './gate/access.ts';
export { describeAccess } from './gate/describe-access.ts';
export { limitTenants } from './gate/tenant-rate-limit.ts';
export type { RightsWatch, WatchedRights } from './gate/watch-rights.ts';
export { createApiKey } from './keys/create-api-key.ts';
export { issueApiKey } from './keys/issue-api-key.ts';
export { SESSION_HEADER } from './logins/browser-session.ts';
export { issueSessionToken } from './logins/issue-session-token.ts';
export * from './manage-accounts.ts';
export { MIN_PASSWORD_CHARACTERS } from './passwords/passwords.ts';
export { createPasswordReset, PASSWORD_RESET_HOURS } from './passwords/reset-password.ts';
export { ACTIONS, type Action, isGrant, RESOURCES, type Resource, ROLES } from './permissions.ts';
export { actorOf, hasGrant, principalOf, requireGrant, type Tenant, tenantOf, userScope } from './principal.ts';
export { nothingToReset, resetTotp } from './second-factor/reset-totp.ts';
export { type IdentitySettings, readIdentitySettings } from './settings.ts';
export {
  countFleetOrganizations,
  countOrganizationsByPlan,
  type FleetOrganization,
  type FleetStatus,
  findFleetOrganization,
  listFleetOrganizations,
  lockFleetOrganization,
} from './sql/fleet.ts';
export { type Sighting, writeSightings } from './sql/last-seen.ts';
export { seedLoginSessions } from './sql/login-sessions.ts';
export { isActiveOperator, listOperators, type OperatorRow, readOperators } from './sql/operators.ts';
export {
  type BilledOrganization,
  countOrganizations,
  endBillingSuspension,
  findBilledOrganization,
  listOrganizationIds,
  listOrganizationRows as listOrganizations,
  type OrganizationDefaults,
  readOrganizationDefaults,
  readOrganizationNames,
  readTimeZones,
  suspendForBilling,
} from './sql/organizations.ts';
export {
  findOrganizationOutline,
  listMemberOutlines,
  listOrganizationOutlines,
  listUserOutlines,
} from './sql/outlines.ts';
export { grantAccess as grantSupportAccess } from './support/grant-access.ts';
export { requestAccess as requestSupportAccess } from './support/request-access.ts';
export { seedPastVisit } from './support/seed-support.ts';
export { changeMember } from './team/change-member.ts';
export { type AccountReset, INVITATION_DAYS, inviteMember } from './team/invite-member.ts';
export { inviteUrl, linkBaseOf, passwordResetUrl, resetLinkShape } from './team/link-base.ts';
export { listMembers } from './team/list-members.ts';
export { removeMember } from './team/remove-member.ts';
export type { TeamAuthor } from './team/team-author.ts';
export { memberShape } from './team/team-member.ts';
export { ResetLink } from './team/team-schema.ts';
export { getOrganization } from './team/update-organization.ts';

const API_PREFIX = '/api/v1';
const AUTH_PREFIX = `${API_PREFIX}/auth/`;
const UNAUTHENTICATED = 'unauthenticated';

/** From here on the request uses its own organization's share of the database; all who have none have one together. */
function createCallerHook(lastSeen: LastSeen) {
  return ({ principal }: FastifyRequest, _reply: unknown, done: () => void): void => {
    const organizationId = principal?.membership?.organization.id;
    const userId = principal?.user?.id;
    // Support is no member: the list of members does not show it.
    const isMember = organizationId !== undefined && userId !== undefined && principal?.support === undefined;
    if (isMember) lastSeen.note({ organizationId, userId });
    withTenant(organizationId ?? userId ?? UNAUTHENTICATED, done);
  };
}

function readsOnly(access: Access, method: string | string[]): boolean {
  if (access.kind !== 'tenant' || access.action === 'read') return true;
  return access.action === undefined && method === 'GET';
}

/**
 * Puts the gate before every route that comes after it, and refuses to start with a route that does not say who may
 * call it.
 */
export function installIdentity(
  app: App,
  platform: Platform,
  settings: IdentitySettings,
): { cache: IdentityCache; lastSeen: LastSeen; keyUses: KeyUses; rights: RightsWatch; routes(scope: App): void } {
  const cache = createIdentityCache(platform.backgroundSql);
  const jwts = createJwts(platform.secret);
  const identity: Identity = {
    sql: platform.sql,
    clock: platform.clock,
    cache,
    jwts,
    refreshTokens: createRefreshTokens(platform.secret),
    passwordHashQueue: createPasswordHashQueue(),
    wrongPasswords: createWrongPasswords(platform.clock),
    box: platform.box,
  };
  const background = { sql: platform.backgroundSql, clock: platform.clock, log: platform.log };
  const keyUses = createKeyUses(background);
  const gate = {
    holders: createHolderReads(platform.sql),
    clock: platform.clock,
    cache,
    jwts,
    keyUses,
    commercialRequireTotp: settings.commercialRequireTotp,
  };
  const lastSeen = createLastSeen(background);
  const asCaller = createCallerHook(lastSeen);
  const recordSupport = createSupportRecorder({ sql: platform.sql, clock: platform.clock });

  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    const access: Access | undefined = route.config?.access;
    if (!route.url.startsWith(API_PREFIX)) return;
    if (access === undefined) throw new Error(`${route.method} ${route.url} does not say who may call it`);
    // Without a token to show, a few kilobytes are enough unless the route says otherwise.
    if (access.kind === 'public' || route.url.startsWith(AUTH_PREFIX)) route.bodyLimit ??= BODY_LIMIT_BYTES.credentials;
    if (route.schema) route.schema.security = securityOf(access);
    // A probe has no caller.
    const own = [route.preHandler ?? []].flat();
    const before = readsOnly(access, route.method) ? [asCaller] : [asCaller, recordSupport];
    if (!route.config?.isProbe) route.preHandler = [...before, ...own];
  });
  app.addHook('onRequest', createGate(gate));

  return {
    cache,
    lastSeen,
    keyUses,
    rights: createRightsWatch(cache, createRepeatedGate(gate)),
    routes(scope) {
      identityRoutes(scope, platform, settings, identity);
      teamRoutes(scope, platform, settings, identity);
      organizationRoutes(scope, platform, identity);
      supportRoutes(scope, platform, identity);
      supportOperatorRoutes(scope, platform, identity);
    },
  };
}
