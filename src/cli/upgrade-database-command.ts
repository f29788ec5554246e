import { upgradeCluster } from '../platform/postgres/index.ts';
import { defineCommand, UsageError } from './command.ts';

export const upgradeDatabaseCommand = defineCommand({
  name: 'upgrade-database',
  summary: 'move the embedded database to the included version of PostgreSQL',
  options: {
    programs: { value: 'FOLDER', meaning: 'with the programs of the old version, such as /usr/lib/postgresql/17/bin' },
  },
  example: 'upgrade-database',
  details: `Stop the service first. Dumps the database into a new cluster, compares the number of rows of every table, and only then uses it.
The old cluster stays beside it under another name; delete it when you no longer need it. Needs twice the disk space meanwhile, and the old
version's programs.`,
  async run(context, { options }) {
    const { platform: config } = context.settings();
    if (config.databaseUrl !== undefined)
      throw new UsageError('it is for the embedded database only: unset DATABASE_URL');
    const { from, to, tables, oldCluster } = await upgradeCluster({
      dataDir: config.dataDir,
      programs: options.programs,
      log: context.log(),
    });
    const value = { from, to, tables, old_cluster: oldCluster ?? null };
    if (oldCluster === undefined) return { value, text: `The database is of PostgreSQL ${to} already.` };
    return {
      value,
      text: `Moved ${tables} tables from PostgreSQL ${from} to ${to}. The old cluster is in ${oldCluster}`,
    };
  },
});
