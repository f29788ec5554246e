import { rebuildSales } from '../modules/sales/index.ts';
import type { Platform } from '../platform/platform.ts';
import { existingOrganization } from './account-commands.ts';
import { type Options, UsageError } from './arguments.ts';

/** Counts again from the orders what followers of the events keep: daily sales and customers. Safe at any time. */
export async function rebuild(platform: Platform, options: Options, words: string[]): Promise<unknown> {
  const [, what = 'sales'] = words;
  if (what !== 'sales') throw new UsageError(`There is no projection "${what}": sales is the one there is`);
  const only = options.org === undefined ? undefined : await existingOrganization(platform, options.org);
  return { rebuilt: what, ...(await rebuildSales(platform.sql, only)) };
}
