import { rebuildSales } from '../modules/sales/index.ts';
import { defineCommand, UsageError } from './command.ts';
import { existingOrganization } from './existing-organization.ts';

/** Counts again from the orders what followers of the events keep: daily sales and customers. Safe at any time. */
const rebuild = defineCommand({
  name: 'rebuild',
  summary: 'count sales and customers again from the orders',
  argument: { name: 'PROJECTION', meaning: 'sales, which is the one there is', required: false },
  options: { org: { value: 'ID', meaning: 'of this organization only' } },
  example: 'rebuild sales --org 0193a1f0-7c00-7000-8000-000000000001',
  details: 'Safe at any time, beside a running service.',
  async run(context, { options, argument: what = 'sales' }) {
    if (what !== 'sales') throw new UsageError(`There is no projection "${what}": sales is the one there is`);
    const platform = await context.platform();
    const only = options.org === undefined ? undefined : await existingOrganization(platform, options.org);
    return { value: { rebuilt: what, ...(await rebuildSales(platform.sql, only)) } };
  },
});

export const REBUILD_COMMANDS = [rebuild];
