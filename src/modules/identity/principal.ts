import type { FastifyRequest } from 'fastify';
import type { Actor } from '../audit/index.ts';
import { type Action, mayDo, missingGrant, type Resource, type Standing } from './permissions.ts';
import type { SupportAccess } from './support/policy.ts';

export type Organization = {
  id: string;
  nameEn: string;
  nameAr: string;
  isActive: boolean;
  suspended: boolean;
  timeZone: string;
  /** Members without a second factor are let into nothing of it. */
  requireTotp: boolean;
};

export type Membership = Standing & { organization: Organization; branchId: string | null };

export type TokenType = 'jwt' | 'session_token' | 'api_key' | 'support';
export type OperatorType = 'Merchant' | 'Commercial';

/** All that one token stands for, as kept in the identity cache. */
export type TokenHolder = {
  token: { type: TokenType; id: string; revoked: boolean; issuedAt: Date; expiresAt: Date | null };
  user: { id: string; email: string; operatorType: OperatorType; hasSecondFactor: boolean } | undefined;
  /** What people call the holder: the user's name or else email, or the name of the API key. */
  name: string;
  defaultOrganizationId: string | null;
  memberships: Membership[];
  /** Set: an operator inside an organization that has allowed it, which is then the only membership. */
  support?: SupportAccess;
};

/** The caller of one request. `membership` is set on tenant routes. */
export type Principal = TokenHolder & { membership: Membership | undefined };

/** The caller of a tenant route, flattened to what rules ask for. */
export type Tenant = {
  organizationId: string;
  timeZone: string;
  userId: string | undefined;
  userEmail: string;
  /** The id of the user or the API key: records created under it are found again under it. */
  callerId: string;
  /** Set: this account sees and touches this branch alone. */
  branchId: string | null;
  /** Whose idempotency keys these are. */
  scope: string;
  /** Whom the audit names as the author of a change. */
  actor: Actor;
};

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error(`${request.routeOptions.url} has no principal: its access is public`);
  return request.principal;
}

/** The person behind the request, on routes that take no API key. */
export function userOf(request: FastifyRequest): NonNullable<Principal['user']> {
  const { user } = principalOf(request);
  if (user === undefined) throw new Error('this route does not take API keys');
  return user;
}

export function tenantOf(request: FastifyRequest): Tenant {
  const { membership, user, token } = principalOf(request);
  if (membership === undefined) throw new Error(`${request.routeOptions.url} is not a tenant route`);
  return {
    organizationId: membership.organization.id,
    timeZone: membership.organization.timeZone,
    userId: user?.id,
    userEmail: user?.email ?? 'api key',
    callerId: user?.id ?? token.id,
    branchId: membership.branchId,
    scope: `${membership.organization.id}:${user?.id ?? token.id}`,
    // Asked for by writes that are audited and nothing else: reads need not look up an address behind a proxy.
    get actor() {
      return actorOf(request);
    },
  };
}

export function actorOf(request: FastifyRequest): Actor {
  const { user, token, name, support } = principalOf(request);
  const { ip, id: requestId } = request;
  if (user === undefined) return { kind: 'api_key', id: token.id, name, ip, requestId };
  const kind = user.operatorType === 'Commercial' ? 'operator' : 'user';
  const actor: Actor = { kind, id: user.id, name, ip, requestId };
  return support === undefined ? actor : actingFor(actor, support.grantId);
}

/** An operator inside an organization. */
export function actingFor(actor: Actor, supportGrantId: string): Actor {
  return { ...actor, supportGrantId };
}

/** For answers that show some callers more than others. */
export function hasGrant(request: FastifyRequest, action: Action, resource: Resource): boolean {
  const { membership } = principalOf(request);
  return membership !== undefined && mayDo(membership, action, resource);
}

/** For routes that any member may call: the grant depends on what was found. */
export function requireGrant(request: FastifyRequest, action: Action, resource: Resource): void {
  if (!hasGrant(request, action, resource)) throw missingGrant(action, resource);
}

/**
 * Whose idempotency keys these are, on routes that are not a tenant's. Where the answer depends on the organization that
 * the caller acts for, the same key for another organization is another key.
 */
export function userScope(request: FastifyRequest, organizationId: string | null = null): string {
  const { user, token } = principalOf(request);
  const person = user?.id ?? token.id;
  return organizationId === null ? person : `${person}:${organizationId}`;
}
