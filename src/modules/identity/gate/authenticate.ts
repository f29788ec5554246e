import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { badRequest, forbidden, Problem } from '../../../platform/http/problem.ts';
import type { Jwts } from '../logins/jwt.ts';
import { isOpaque } from '../opaque-tokens.ts';
import { mayDo, missingGrant } from '../permissions.ts';
import type { Membership, Principal, TokenHolder } from '../principal.ts';
import { requireOpenToSupport, requireSupportGrant, type SupportAccess } from '../support/policy.ts';
import { type Access, takesApiKeys } from './access.ts';
import type { IdentityCache } from './identity-cache.ts';
import type { KeyUses } from './key-uses.ts';
import { describeApiKey, describeBearer, notAuthenticated, wayOfKeys } from './not-authenticated.ts';
import type { HolderReads } from './read-holders.ts';

type Tools = {
  holders: HolderReads;
  clock: Clock;
  cache: IdentityCache;
  jwts: Jwts;
  keyUses: KeyUses;
  commercialRequireTotp: boolean;
};

const MAX_TOKEN_CHARACTERS = 4_096;

/** Runs before the body is read: an unauthenticated client's upload is not received. */
export function createGate(tools: Tools) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const { access } = request.routeConfig ?? request.routeOptions.config;
    if (access === undefined || access.kind === 'public') {
      done();
      return;
    }
    try {
      const credential = readCredential(request, access);
      const known = tools.cache.find(credential.cacheKey);
      if (known !== undefined) {
        request.principal = admit(known, credential, access, request, tools);
        done();
        return;
      }
      tools.cache
        .load(credential.cacheKey, () => readHolder(credential, tools))
        .then((holder) => {
          if (holder === undefined) throw unknownCredential(credential, access, tools);
          request.principal = admit(holder, credential, access, request, tools);
          done();
        })
        .catch(done);
    } catch (error) {
      done(error as Error);
    }
  };
}

/** For requests that stay open: whom the caller stands for by now. Throws what the gate would answer now. */
export type AskAgain = (request: FastifyRequest) => Promise<{ organizationId: string; branchId: string | null }>;

/** As cheap as the gate itself. When all that is remembered was forgotten, one read serves everyone with the same token. */
export function createRepeatedGate(tools: Tools): AskAgain {
  const reads = new Map<string, Promise<TokenHolder | undefined>>();
  function readOnce(credential: Credential): Promise<TokenHolder | undefined> {
    const readKey = `${tools.cache.generation()} ${credential.cacheKey}`;
    const underWay = reads.get(readKey);
    if (underWay !== undefined) return underWay;
    const read = tools.cache
      .load(credential.cacheKey, () => readHolder(credential, tools))
      .finally(() => reads.delete(readKey));
    reads.set(readKey, read);
    return read;
  }
  return async (request) => {
    const { access } = request.routeOptions.config;
    if (access?.kind !== 'tenant') throw new Error(`${request.routeOptions.url} is not a tenant route`);
    const credential = readCredential(request, access);
    const holder = tools.cache.find(credential.cacheKey) ?? (await readOnce(credential));
    if (holder === undefined) throw unknownCredential(credential, access, tools);
    const { membership } = admit(holder, credential, access, request, tools);
    if (membership === undefined) throw organizationNotAccessible();
    return { organizationId: membership.organization.id, branchId: membership.branchId };
  };
}

type Credential = { kind: 'jwt' | 'session' | 'api_key'; text: string; cacheKey: string };

function readCredential(request: FastifyRequest, access: Access): Credential {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) {
    const text = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (text === undefined) throw notAuthenticated(access, 'an Authorization header that is not "Bearer <token>"');
    if (text.length > MAX_TOKEN_CHARACTERS) throw notAuthenticated(access, 'a token that is not valid');
    return { kind: isOpaque(text, 'session') ? 'session' : 'jwt', text, cacheKey: text };
  }
  const apiKey = request.headers['x-api-key'];
  if (typeof apiKey !== 'string') throw notAuthenticated(access, 'nothing');
  if (!takesApiKeys(access)) throw notAuthenticated(access, `an API key: ${wayOfKeys(access)}`);
  if (apiKey.length > MAX_TOKEN_CHARACTERS) throw notAuthenticated(access, 'an API key that is not valid');
  return { kind: 'api_key', text: apiKey, cacheKey: `key ${apiKey}` };
}

function unknownCredential({ kind, text }: Credential, access: Access, { jwts, clock }: Tools): Problem {
  if (kind === 'api_key') return notAuthenticated(access, describeApiKey(text));
  if (kind === 'jwt' && jwts.hasExpired(text, clock.now())) return notAuthenticated(access, 'a token that has expired');
  return notAuthenticated(access, describeBearer(access, text));
}

async function readHolder(credential: Credential, tools: Tools): Promise<TokenHolder | undefined> {
  switch (credential.kind) {
    case 'session':
      return tools.holders.ofSessionToken(credential.text);
    case 'api_key':
      return tools.holders.ofApiKey(credential.text);
    case 'jwt': {
      const claims = tools.jwts.verify(credential.text, tools.clock.now());
      if (claims === undefined) return undefined;
      const { sessionId, supportOrganizationId } = claims;
      const holder =
        supportOrganizationId === undefined
          ? await tools.holders.ofLogin(sessionId)
          : await tools.holders.ofSupport({ organizationId: supportOrganizationId, id: sessionId });
      // The session outlives each JWT it issues; the holder of this token ends with the token.
      return (
        holder && { ...holder, token: { ...holder.token, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt } }
      );
    }
  }
}

function admit(
  holder: TokenHolder,
  credential: Credential,
  access: Exclude<Access, { kind: 'public' }>,
  request: FastifyRequest,
  { clock, keyUses, commercialRequireTotp }: Tools,
): Principal {
  const { token, user } = holder;
  const what = credential.kind === 'api_key' ? 'an API key' : 'a token';
  if (token.expiresAt !== null && token.expiresAt <= clock.now()) {
    throw notAuthenticated(access, `${what} that has expired`);
  }
  if (holder.support !== undefined) return admitSupport(holder, holder.support, access, request);
  if (access.kind === 'credentials') return { ...holder, membership: chooseForCredentials(holder, request) };
  if (token.revoked) throw notAuthenticated(access, `${what} that was revoked`);
  if (access.kind === 'tenant') {
    const membership = chooseMembership(holder, access, request);
    if (user === undefined) keyUses.note({ organizationId: membership.organization.id, id: token.id });
    return { ...holder, membership };
  }
  if (access.kind === 'commercial') {
    if (user?.operatorType !== 'Commercial') {
      throw forbidden({ operator_type: 'Commercial is required' }).named('commercial-required');
    }
    if (commercialRequireTotp && !user.hasSecondFactor) throw secondFactorMissing();
  }
  return { ...holder, membership: undefined };
}

/** An operator inside an organization. The end of the grant counts, however long the token would last. */
function admitSupport(
  holder: TokenHolder,
  support: SupportAccess,
  access: Exclude<Access, { kind: 'public' }>,
  request: FastifyRequest,
): Principal {
  if (holder.token.revoked) throw notAuthenticated(access, 'a support token whose access has ended');
  requireOpenToSupport(access);
  if (access.kind !== 'tenant') return { ...holder, membership: undefined };
  const membership = chooseMembership(holder, { ...access, action: undefined, resource: undefined }, request);
  requireSupportGrant(support, membership, access, request.method);
  return { ...holder, membership };
}

/** The way out is open: the routes under /auth that enrol one belong to no organization. */
function secondFactorMissing(): Problem {
  return forbidden({ totp: 'enrol' }, 'Second factor required');
}

/** The default organization of a new token of this caller. */
export function defaultOrganizationOf(principal: Principal, request: FastifyRequest): string | null {
  if (requestedOrganization(request) === undefined) return principal.defaultOrganizationId;
  const membership = findMembership(principal, request);
  if (membership === undefined) throw organizationNotAccessible();
  return membership.organization.id;
}

export function organizationNotAccessible(): Problem {
  return forbidden({ organization_id: 'not an organization of this account' }, 'Organization not accessible');
}

function requestedOrganization(request: FastifyRequest): string | undefined {
  const requested = request.headers['x-organization-id'];
  return typeof requested === 'string' && requested !== '' ? requested.toLowerCase() : undefined;
}

function findMembership(holder: TokenHolder, request: FastifyRequest): Membership | undefined {
  const wanted = requestedOrganization(request) ?? holder.defaultOrganizationId;
  return holder.memberships.find((membership) => membership.organization.id === wanted);
}

function chooseMembership(
  holder: TokenHolder,
  access: Extract<Access, { kind: 'tenant' }>,
  request: FastifyRequest,
): Membership {
  const membership = findMembership(holder, request);
  if (membership === undefined) throw organizationNotAccessible();
  const isKeyForApps = membership.role === 'api_key' && membership.grantsAdded.length === 0;
  if (isKeyForApps && !access.apiKey) throw notAuthenticated(access, 'an API key without grants');
  if (membership.organization.suspended && access.whileSuspended !== 'allowed') {
    throw new Problem(402, 'Billing suspended', { organization_id: membership.organization.id });
  }
  if (membership.organization.requireTotp && holder.user?.hasSecondFactor === false) throw secondFactorMissing();
  if (access.branchConfined === 'refused' && membership.branchId !== null) {
    throw forbidden({ account: 'confined to one branch' }).named('branch-confined');
  }
  if (access.action === undefined || (isKeyForApps && access.action === 'read')) return membership;
  if (!mayDo(membership, access.action, access.resource)) throw missingGrant(access.action, access.resource);
  return membership;
}

function chooseForCredentials(holder: TokenHolder, request: FastifyRequest): Membership {
  const membership = findMembership(holder, request);
  if (membership !== undefined) return membership;
  if (requestedOrganization(request) !== undefined) throw organizationNotAccessible();
  throw badRequest(
    { organization_id: 'neither the token nor X-Organization-ID names an organization of this account' },
    'Organization not resolvable',
  );
}
