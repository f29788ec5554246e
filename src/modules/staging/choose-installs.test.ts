import { expect, test } from 'vitest';
import { createInstallRotation } from './choose-installs.ts';

const due = (...names: string[]) =>
  names.map((id) => ({ id, organization_id: id.slice(0, 1), app_slug: 'woocommerce' }));
const idsOf = (installs: { id: string }[]) => installs.map(({ id }) => id);

test('serves one install per tenant, however many a tenant has', () => {
  const turns = createInstallRotation();
  const busy = Array.from({ length: 20 }, (_, index) => `a${String(index).padStart(2, '0')}`);
  expect(idsOf(turns.choose(due(...busy, 'b1', 'c1', 'd1')))).toEqual(['a00', 'b1', 'c1', 'd1']);
  expect(idsOf(turns.choose(due(...busy, 'b1', 'c1', 'd1')))).toEqual(['a01', 'b1', 'c1', 'd1']);
});

test('serves every install of a tenant in its turn', () => {
  const turns = createInstallRotation();
  const installs = due('a1', 'a2', 'a3', 'b1', 'c1', 'd1');
  const served = Array.from({ length: 6 }, () => idsOf(turns.choose(installs))[0]);
  expect(served).toEqual(['a1', 'a2', 'a3', 'a1', 'a2', 'a3']);
});

test('serves several installs of a tenant where few tenants have something due', () => {
  const turns = createInstallRotation();
  expect(idsOf(turns.choose(due('a1', 'a2', 'a3', 'a4', 'a5', 'a6')))).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(idsOf(turns.choose(due('a1', 'a2', 'a3', 'a4', 'a5', 'a6')))).toEqual(['a5', 'a6', 'a1', 'a2']);
  expect(turns.choose([])).toEqual([]);
});
