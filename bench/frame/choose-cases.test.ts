import { expect, it } from 'vitest';
import { chooseCases } from './define-bench.ts';

const CASES = [
  { name: 'driver' },
  { name: 'route', baseline: 'driver' },
  { name: 'long route', baseline: 'route' },
  { name: 'lag' },
];
const names = (only: string) => chooseCases(CASES, only).map(({ name }) => name);

it('takes the cases that are named, with all baselines under them, in their order', () => {
  expect(names('lag')).toEqual(['lag']);
  expect(names('long')).toEqual(['driver', 'route', 'long route']);
  expect(names('')).toEqual(['driver', 'route', 'long route', 'lag']);
  expect(() => names('nothing')).toThrow('No case has "nothing" in its name');
});
