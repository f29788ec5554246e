import { forbidden, type Problem } from '../../platform/http/problem.ts';

export const RESOURCES = [
  'Branches',
  'Products',
  'Orders',
  'Payments',
  'Webhooks',
  'Apps',
  'Analytics',
  'Reports',
  'Settings',
] as const;
export const ACTIONS = ['read', 'create', 'update', 'delete', 'export', 'import'] as const;
export const ROLES = ['owner', 'member', 'viewer'] as const;

export type Resource = (typeof RESOURCES)[number];
export type Action = (typeof ACTIONS)[number];
export type Role = (typeof ROLES)[number];
export type Grant = `${Action}:${Resource}`;

export const GRANTS: readonly Grant[] = RESOURCES.flatMap((resource) =>
  ACTIONS.map((action): Grant => `${action}:${resource}`),
);

/** What one may in an organization. An API key and a support token have no role: they may what their grants name. */
export type Standing = {
  role: Role | 'api_key' | 'support';
  grantsAdded: readonly string[];
  grantsWithheld: readonly string[];
};

/** A withheld grant beats an added one, and both beat the role. Settings are people's: no key has them, whatever it says. */
export function mayDo(standing: Standing, action: Action, resource: Resource): boolean {
  const grant: Grant = `${action}:${resource}`;
  if (standing.role === 'api_key' && resource === 'Settings') return false;
  if (standing.grantsWithheld.includes(grant)) return false;
  if (standing.grantsAdded.includes(grant)) return true;
  switch (standing.role) {
    case 'owner':
      return true;
    case 'member':
      return resource !== 'Settings' || action === 'read';
    case 'viewer':
      return action === 'read';
    case 'api_key':
    case 'support':
      return false;
  }
}

/** All that a standing comes to: role, what was added and what was withheld. */
export function grantsOf(standing: Standing): Grant[] {
  return GRANTS.filter((grant) => {
    const [action, resource] = grant.split(':') as [Action, Resource];
    return mayDo(standing, action, resource);
  });
}

export function missingGrant(action: Action, resource: Resource): Problem {
  return forbidden({ grant: `${action} on ${resource} is required` }).named('missing-grant');
}

/** Of a text that is one. */
export function grantParts(grant: Grant): { action: Action; resource: Resource } {
  const [action, resource] = grant.split(':') as [Action, Resource];
  return { action, resource };
}

export function isGrant(text: string): text is Grant {
  const [action, resource, ...rest] = text.split(':');
  return rest.length === 0 && ACTIONS.some((name) => name === action) && RESOURCES.some((name) => name === resource);
}
