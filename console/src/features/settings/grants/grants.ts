import type { Action, Grant, Resource } from '../../../platform/index.ts';

export const RESOURCES: readonly Resource[] = [
  'Orders',
  'Products',
  'Branches',
  'Payments',
  'Apps',
  'Webhooks',
  'Analytics',
  'Reports',
  'Settings',
];
export const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete', 'export', 'import'];

export const ROLES = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
/** Overrides of the role. Withheld wins over added, and both win over the role. */
export type Differences = { added: readonly Grant[]; withheld: readonly Grant[] };

export const grantOf = (action: Action, resource: Resource): Grant => `${action}:${resource}`;

export function roleGives(role: Role, grant: Grant): boolean {
  const [action, resource] = grant.split(':');
  if (role === 'owner') return true;
  return role === 'viewer' ? action === 'read' : resource !== 'Settings' || action === 'read';
}

export function mayWith(role: Role, { added, withheld }: Differences, grant: Grant): boolean {
  return !withheld.includes(grant) && (added.includes(grant) || roleGives(role, grant));
}

/** Toggles a grant with the fewest overrides. */
export function turned(role: Role, { added, withheld }: Differences, grant: Grant): Differences {
  const without = (grants: readonly Grant[]) => grants.filter((other) => other !== grant);
  const isOn = mayWith(role, { added, withheld }, grant);
  if (isOn === roleGives(role, grant)) {
    return isOn
      ? { added: without(added), withheld: [...withheld, grant] }
      : { added: [...added, grant], withheld: without(withheld) };
  }
  return { added: without(added), withheld: without(withheld) };
}

/** Removes overrides that equal the new role. */
export function meaningful(role: Role, { added, withheld }: Differences): Differences {
  return {
    added: added.filter((grant) => !roleGives(role, grant)),
    withheld: withheld.filter((grant) => roleGives(role, grant)),
  };
}
