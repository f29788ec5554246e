import type { AppSettings } from './settings.ts';

/**
 * Many vendors know a store by several ids: the whole shop's, a branch's, the merchant's own. `ids` is ordered from the most general to
 * the most specific. Returns the most specific one that the install's `branches` map, otherwise the first one.
 */
export function findStoreId({ branches = {} }: AppSettings, ids: readonly (string | undefined)[]): string | undefined {
  const there = ids.filter((id) => id !== undefined);
  return there.findLast((id) => Object.hasOwn(branches, id)) ?? there[0];
}
