import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACTIONS,
  type Action,
  isGrant,
  mayDo,
  RESOURCES,
  type Resource,
  type Role,
  type Standing,
} from './permissions.ts';

const standing = (role: Role, added: string[] = [], withheld: string[] = []): Standing => ({
  role,
  grantsAdded: added,
  grantsWithheld: withheld,
});

const CASES: { action: Action; resource: Resource }[] = ACTIONS.flatMap((action) =>
  RESOURCES.map((resource) => ({ action, resource })),
);

describe('roles', () => {
  it.each(CASES)('$action on $resource', ({ action, resource }) => {
    expect(mayDo(standing('owner'), action, resource)).toBe(true);
    expect(mayDo(standing('member'), action, resource)).toBe(resource !== 'Settings' || action === 'read');
    expect(mayDo(standing('viewer'), action, resource)).toBe(action === 'read');
  });
});

describe('grants', () => {
  const role = fc.constantFrom<Role>('owner', 'member', 'viewer');
  const one = fc.constantFrom(...CASES);

  it('an added one is held whatever the role, and changes nothing else', () => {
    fc.assert(
      fc.property(role, one, one, (name, given, asked) => {
        const held = mayDo(standing(name, [`${given.action}:${given.resource}`]), asked.action, asked.resource);
        const isGiven = given.action === asked.action && given.resource === asked.resource;
        expect(held).toBe(isGiven || mayDo(standing(name), asked.action, asked.resource));
      }),
    );
  });

  it('a withheld one beats the role and an added one', () => {
    fc.assert(
      fc.property(role, one, (name, { action, resource }) => {
        const grant = `${action}:${resource}`;
        expect(mayDo(standing(name, [grant], [grant]), action, resource)).toBe(false);
        expect(mayDo(standing(name, [], [grant]), action, resource)).toBe(false);
      }),
    );
  });

  it('are an action and a resource that exist', () => {
    expect(CASES.every(({ action, resource }) => isGrant(`${action}:${resource}`))).toBe(true);
    for (const text of ['', 'read', 'read:', ':Orders', 'read:orders', 'Read:Orders', 'read:Orders:x', 'eat:Orders']) {
      expect(isGrant(text)).toBe(false);
    }
  });
});

describe('an API key', () => {
  const key = { role: 'api_key', grantsAdded: ['read:Orders', 'read:Settings'], grantsWithheld: [] } as const;

  it('may what its grants name, and never anything of Settings', () => {
    expect(mayDo(key, 'read', 'Orders')).toBe(true);
    expect(mayDo(key, 'create', 'Orders')).toBe(false);
    expect(mayDo(key, 'read', 'Apps')).toBe(false);
    expect(mayDo(key, 'read', 'Settings')).toBe(false);
  });
});
