import { expect, test } from 'vitest';
import { spreadBrowsers } from './spread-browsers.ts';

const isBrowser = (name: string) => name === name.toUpperCase();

test('spreads browser files over the first quarter of the others', () => {
  expect(spreadBrowsers(['A', 'B', ...'cdefghij'], isBrowser).join('')).toBe('AcBdefghij');
});

test.each([
  ['more browser files than others', 'ABCd', 'ABCd'],
  ['browser files alone', 'AB', 'AB'],
  ['no browser files', 'cd', 'cd'],
])('keeps every file with %s', (_case, files, expected) => {
  expect(spreadBrowsers([...files], isBrowser).join('')).toBe(expected);
});
