import type { AppSettings } from './settings.ts';

/**
 * Where a vendor names both a shop and a branch of it: the first that `branches` knows, else the last, which is the
 * vendor's id of the whole shop.
 */
export function findStoreId(ids: readonly (string | undefined)[], { branches = {} }: AppSettings): string | undefined {
  return ids.find((id) => id !== undefined && Object.hasOwn(branches, id)) ?? ids.at(-1);
}

/**
 * Many vendors know a shop by several ids (their own, the chain's, ours). The one that the install's `branches` name is meant;
 * where they name none, the first there is.
 */
export function findShopId({ branches = {} }: AppSettings, ids: readonly (string | undefined)[]): string | undefined {
  const there = ids.filter((id) => id !== undefined);
  return there.find((id) => Object.hasOwn(branches, id)) ?? there[0];
}
