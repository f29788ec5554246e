import type { AppSettings } from './settings.ts';

/**
 * Where a vendor names both a shop and a branch of it: the first that `branches` knows, else the last, which is the
 * vendor's id of the whole shop.
 */
export function findStoreId(ids: readonly (string | undefined)[], { branches = {} }: AppSettings): string | undefined {
  return ids.find((id) => id !== undefined && Object.hasOwn(branches, id)) ?? ids.at(-1);
}
