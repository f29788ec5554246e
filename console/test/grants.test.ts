import { expect, it } from 'vitest';
import {
  GRANTS,
  mayDo,
  ACTIONS as SERVICE_ACTIONS,
  RESOURCES as SERVICE_RESOURCES,
} from '../../src/modules/identity/permissions.ts';
import {
  ACTIONS,
  type Differences,
  grantOf,
  mayWith,
  meaningful,
  RESOURCES,
  ROLES,
  turned,
} from '../src/features/settings/grants/grants.ts';

const NONE: Differences = { added: [], withheld: [] };

it('lists every grant of the service, and each role with the same grants', () => {
  expect([...RESOURCES].sort()).toEqual([...SERVICE_RESOURCES].sort());
  expect([...ACTIONS].sort()).toEqual([...SERVICE_ACTIONS].sort());
  const differences: Differences = {
    added: ['create:Settings', 'update:Orders'],
    withheld: ['read:Analytics', 'update:Orders'],
  };
  for (const role of ROLES) {
    const standing = { role, grantsAdded: differences.added, grantsWithheld: differences.withheld };
    for (const resource of RESOURCES) {
      for (const action of ACTIONS) {
        const grant = grantOf(action, resource);
        expect(mayWith(role, differences, grant), `${role} ${grant}`).toBe(mayDo(standing, action, resource));
      }
    }
  }
});

it('changes one cell at a time, and leaves no override after it is changed back', () => {
  for (const role of ROLES) {
    for (const grant of GRANTS) {
      const once = turned(role, NONE, grant);
      for (const other of GRANTS) {
        expect(mayWith(role, once, other)).toBe(
          other === grant ? !mayWith(role, NONE, other) : mayWith(role, NONE, other),
        );
      }
      expect(turned(role, once, grant)).toEqual(NONE);
    }
  }
});

it('drops overrides that the new role already grants', () => {
  expect(meaningful('owner', { added: ['update:Settings'], withheld: ['read:Orders'] })).toEqual({
    added: [],
    withheld: ['read:Orders'],
  });
  expect(meaningful('viewer', { added: ['update:Orders'], withheld: ['delete:Orders'] })).toEqual({
    added: ['update:Orders'],
    withheld: [],
  });
});
