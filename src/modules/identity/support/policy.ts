import { forbidden, type Problem } from '../../../platform/http/problem.ts';
import type { Access } from '../gate/access.ts';
import { ACTIONS, type Grant, mayDo, RESOURCES, type Resource, type Standing } from '../permissions.ts';

export const SUPPORT_SCOPES = ['read', 'full'] as const;
export type SupportScope = (typeof SUPPORT_SCOPES)[number];

/** What a support token stands for besides its operator. */
export type SupportAccess = {
  grantId: string;
  scope: SupportScope;
  /** When the grant ends, whatever the token says. */
  grantExpiresAt: Date;
  /** The operator's own token that it was opened with, and ends with. */
  openedWith: string;
};

const READ: readonly Grant[] = RESOURCES.map((resource): Grant => `read:${resource}`);
/** Money, keys, members and the organization itself are absent: support reads them and changes none of them. */
const CHANGED_BY_SUPPORT: readonly Resource[] = ['Branches', 'Products', 'Orders', 'Analytics', 'Reports'];

export const SUPPORT_GRANTS: Record<SupportScope, readonly Grant[]> = {
  read: READ,
  full: [
    ...READ,
    ...CHANGED_BY_SUPPORT.flatMap((resource) =>
      ACTIONS.filter((action) => action !== 'read').map((action): Grant => `${action}:${resource}`),
    ),
    // To test and replay deliveries, to test connections and to retry payloads. Routes that change an address or a secret refuse
    // support by `support: 'refused'`.
    'update:Webhooks',
    'update:Apps',
  ],
};

/** Throws unless a support token may use the route. What it may do in the organization is in its grants. */
export function requireOpenToSupport(access: Exclude<Access, { kind: 'public' }>): void {
  if (access.kind === 'signed-in' && access.support === 'allowed') return;
  if (access.kind === 'tenant' && access.support !== 'refused') return;
  throw notForSupport();
}

/** The same for a route of the organization. A read-only grant opens what reads, and nothing else. */
export function requireSupportGrant(
  { scope }: SupportAccess,
  standing: Standing,
  { action, resource }: Extract<Access, { kind: 'tenant' }>,
  method: string,
): void {
  const isRead = action === undefined ? method === 'GET' || method === 'HEAD' : action === 'read';
  if (scope === 'read' && !isRead) throw readOnlySupport();
  if (action !== undefined && !mayDo(standing, action, resource)) throw notForSupport();
}

export function notForSupport(): Problem {
  return forbidden({ support: 'this is not open to support' }).named('support-not-allowed');
}

export function readOnlySupport(): Problem {
  return forbidden({ support: 'the organization has allowed reading only' }).named('support-read-only');
}
