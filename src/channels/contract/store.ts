import type { AppSettings } from './settings.ts';

/**
 * Many vendors know a shop by several ids: the whole shop's, a branch's, the one we gave it. They are given from the one that
 * stands for the whole to the nearest. The nearest that the install's `branches` name is meant; where they name none, the
 * first there is.
 */
export function findStoreId({ branches = {} }: AppSettings, ids: readonly (string | undefined)[]): string | undefined {
  const there = ids.filter((id) => id !== undefined);
  return there.findLast((id) => Object.hasOwn(branches, id)) ?? there[0];
}
