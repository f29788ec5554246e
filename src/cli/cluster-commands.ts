import type { Sql } from '../platform/database/index.ts';
import { readClusterStatus } from './cluster/cluster-status.ts';
import { ClusterRefusal, initCluster } from './cluster/init-cluster.ts';
import { moveTenant } from './cluster/move-tenant.ts';
import { defineCommand, UsageError } from './command.ts';
import { existingOrganization } from './existing-organization.ts';
import { formatTable } from './format-text.ts';
import { readWholeNumber } from './read-number.ts';

const DEFAULT_SHARDS = 32;
const MAX_SHARDS = 1_024;

const initCommand = defineCommand({
  name: 'cluster init',
  summary: 'spread the tables over the nodes of a Citus cluster',
  example: 'cluster init --shards 64',
  details:
    'Needs a migrated database with the citus extension on every node, and no running service. Rows that exist are moved with their tables. ' +
    'Interrupted, nothing has changed. The number of shards is the number of groups of tenants that can be on different nodes; it stays.',
  options: { shards: { value: 'COUNT', meaning: `shards of each table (${DEFAULT_SHARDS})` } },
  async run(context, { options }) {
    const shards =
      options.shards === undefined ? DEFAULT_SHARDS : readWholeNumber(options.shards, 'shards', 1, MAX_SHARDS);
    const { sql } = await context.platform();
    const isNew = await initCluster(sql, { shards, onStep: (step) => context.screen.write(`${step}\n`) }).catch(
      explain,
    );
    return {
      value: { spread: isNew, shards },
      text: isNew ? 'The tables are spread.' : 'The tables are spread already.',
    };
  },
});

const statusCommand = defineCommand({
  name: 'cluster status',
  summary: 'show the nodes of a cluster: shards, sizes, tenants, events behind',
  example: 'cluster status',
  details: 'Exit code 1 when a node is not active or does not answer.',
  async run(context) {
    const { sql } = await context.platform();
    requireCluster(sql);
    const nodes = await readClusterStatus(sql);
    const isHealthy = nodes.every((node) => node.active && node.events_behind !== null);
    const names = ['node', 'role', 'active', 'shards', 'bytes', 'tenants', 'events_behind'] as const;
    return { value: { nodes }, text: formatTable(names, nodes), exitCode: isHealthy ? 0 : 1 };
  },
});

const moveCommand = defineCommand({
  name: 'cluster move',
  summary: 'move an organization to a node of a cluster',
  example: 'cluster move 0198c0de-0000-7000-8000-000000000001 --to 10.0.0.12:5432',
  details:
    'An organization that shares its shard with others first gets one of its own: stop the services for that. One with a shard of its own is ' +
    'moved while they run. With wal_level = logical on the workers its writes wait for a moment, otherwise until the rows are copied.',
  argument: { name: 'ORGANIZATION', meaning: 'its id', required: true },
  options: { to: { value: 'HOST:PORT', meaning: 'the node, as cluster status shows it', required: true } },
  async run(context, { argument, options }) {
    const platform = await context.platform();
    requireCluster(platform.sql);
    const organizationId = await existingOrganization(platform, argument);
    return { value: await moveTenant(platform.sql, organizationId, options.to).catch(explain) };
  },
});

function requireCluster(sql: Sql): void {
  if (!sql.layout.isDistributed)
    throw new UsageError('The tables are on one server: dukkan cluster init spreads them.');
}

function explain(error: unknown): never {
  if (error instanceof ClusterRefusal) throw new UsageError(error.message);
  throw error;
}

export const CLUSTER_COMMANDS = [initCommand, statusCommand, moveCommand];
