import type { Action, Resource } from '../permissions.ts';

export type TenantOptions = {
  /** Also an API key without any grant will do. One with grants opens every route that they name anyway. */
  apiKey?: true;
  branchConfined?: 'refused';
  whileSuspended?: 'allowed';
  /** Closed to support tokens, although the action and resource are not. */
  support?: 'refused';
};

/** Who may call a route. Every route under the API prefix names one; a route without is refused at start. */
export type Access =
  | { kind: 'public' }
  /** Any valid token; no organization is involved. */
  | { kind: 'signed-in'; support?: 'allowed' }
  /** Like signed-in, but accepts a revoked token, so that the route can report its state. */
  | { kind: 'credentials' }
  | ({ kind: 'tenant'; action: Action; resource: Resource } & TenantOptions)
  /** Anyone of the organization; the rule asks for the grant once it knows what the request is about. */
  | ({ kind: 'tenant'; action?: undefined; resource?: undefined } & TenantOptions)
  | { kind: 'commercial' };

export const open: Access = { kind: 'public' };
export const signedIn: Access = { kind: 'signed-in' };
export const commercial: Access = { kind: 'commercial' };
export const anyMember: Access = { kind: 'tenant' };

export function tenant(action: Action, resource: Resource, options: TenantOptions = {}): Access {
  return { kind: 'tenant', action, resource, ...options };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** Settings, logins and what is the operator's are for people; everything else of a tenant is open to its keys as well. */
export function takesApiKeys(access: Access): access is Extract<Access, { kind: 'tenant' }> {
  return access.kind === 'tenant' && access.resource !== 'Settings';
}

/** The `security` entry of the route in the API description, derived so that the two cannot disagree. */
export function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'public') return [];
  return takesApiKeys(access) ? [{ apiKey: [] }, { bearer: [] }] : [{ bearer: [] }];
}
