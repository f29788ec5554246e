import { setTimeout as pause } from 'node:timers/promises';
import {
  addRestorePoint,
  BackupError,
  type BackupRepository,
  type BackupStore,
  compareLsns,
  deleteRestorePointsBefore,
  followWal,
  newBackupId,
  openBackupStore,
  openClusterTarget,
  openRepository,
  type RestorePoint,
  receiveUpTo,
  takeBackup,
} from '../../platform/backup/index.ts';
import type { Config } from '../../platform/config.ts';
import { type Sql, withServer } from '../../platform/database/index.ts';
import type { LocalFileStore } from '../../platform/files/index.ts';

type Node = { name: string; node: string; url: string; store: BackupStore; repository: BackupRepository };

export type ClusterBackup = { nodes: Node[]; close(): Promise<void> };

export type Taken = Awaited<ReturnType<typeof takeBackup>> & { node: string };

/** How often a follower makes a point to which the nodes can be restored together. */
const POINT_EVERY_MS = 60_000;
const PROGRESS_WITHIN_MS = 60_000;

/** A repository for each node, in the parts of the target that are named after their numbers. */
export async function openClusterBackup(
  sql: Sql,
  store: BackupStore,
  { config, passphraseFile }: { config: Config; passphraseFile: string | undefined },
): Promise<ClusterBackup> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined) throw new Error('a cluster has a DATABASE_URL');
  await openClusterTarget(store);
  const found = await sql<{ number: number; host: string; port: number }[]>`
    select groupid as number, nodename as host, nodeport as port from pg_dist_node
    where noderole = 'primary' and isactive order by groupid`;
  const nodes: Node[] = [];
  const close = async () => void (await Promise.all(nodes.map((node) => node.store.close())));
  try {
    for (const { number, host, port } of found) {
      const name = nodeStoreName(number);
      const nodeStore = openNodeStore(store, name, config);
      const repository = await openRepository(nodeStore, { passphraseFile, create: true });
      const url = number === 0 ? databaseUrl : withServer(databaseUrl, { host, port });
      nodes.push({ name, node: `${host}:${port}`, url, store: nodeStore, repository });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { nodes, close };
}

const nodeStoreName = (number: number) => `node-${number}`;

export function openNodeStore({ location }: BackupStore, name: string, { backupS3 }: Config): BackupStore {
  return openBackupStore(`${location.replace(/\/$/, '')}/${name}`, backupS3);
}

/** A base backup of every node, then a point to which they are restored together. The images are with the coordinator's. */
export async function backupNodes(
  sql: Sql,
  store: BackupStore,
  { nodes }: ClusterBackup,
  options: { keep: number | undefined; files: LocalFileStore | undefined; version: string; schemaLevel: string },
): Promise<{ taken: Taken[]; hasFollower: boolean; point: RestorePoint | undefined }> {
  const settled = await Promise.allSettled(
    nodes.map(async ({ url, node, repository }, index): Promise<Taken> => {
      const files = index === 0 ? options.files : undefined;
      const common = { address: url, repository, isEmbedded: false, secretFile: undefined };
      return { node, ...(await takeBackup({ ...options, ...common, files }).catch((error) => blame(node, error))) };
    }),
  );
  const taken = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  const oldest = taken.map(({ oldestId }) => oldestId).sort()[0];
  if (oldest !== undefined) await deleteRestorePointsBefore(store, oldest);
  // Another process follows the log: it makes the points, and only it knows when they are stored.
  if (taken.some(({ hasFollower }) => hasFollower)) return { taken, hasFollower: true, point: undefined };
  const { point, reached } = await makePoint(sql, nodes, 'select pg_switch_wal()');
  for (const { url, node, repository } of nodes) await receiveUpTo(url, repository, reached.get(node) ?? '');
  await addRestorePoint(store, point);
  return { taken, hasFollower: false, point };
}

/** Follows the log of every node, and stores a point as soon as all have copied it. */
export async function followNodes(
  sql: Sql,
  store: BackupStore,
  { nodes }: ClusterBackup,
  options: { signal: AbortSignal; onLost(reason: string): void; everyMs?: number },
): Promise<void> {
  const { onLost, everyMs = POINT_EVERY_MS } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const copied = new Map<string, string>();
  const follow = ({ node, url, repository }: Node) =>
    followWal({
      address: async () => url,
      repository,
      signal,
      onProgress: (lsn) => copied.set(node, lsn),
      onLost: (reason) => onLost(`${node}: ${reason}`),
    });
  const hasCopied = (reached: Map<string, string>) =>
    [...reached].every(([node, lsn]) => compareLsns(copied.get(node) ?? '0/0', lsn) >= 0);
  async function makePoints(): Promise<void> {
    while (!signal.aborted) {
      try {
        // A committed message: an idle server would not write the point to its disk.
        const { point, reached } = await makePoint(sql, nodes, `select pg_logical_emit_message(true, 'dukkan', '')`);
        const deadlineMs = performance.now() + PROGRESS_WITHIN_MS;
        while (!signal.aborted && !hasCopied(reached) && performance.now() < deadlineMs) await rest(100);
        if (hasCopied(reached)) await addRestorePoint(store, point);
        else if (!signal.aborted)
          onLost('a restore point is left out, because the log of a node was not copied in time');
      } catch (error) {
        onLost(`no restore point: ${error instanceof Error ? error.message : String(error)}`);
      }
      await rest(everyMs);
    }
  }
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  try {
    await Promise.all([makePoints(), ...nodes.map(follow)]);
  } finally {
    stopping.abort();
  }
}

/**
 * Transactions of several nodes wait while the point is written to each log. `reach` runs on every node afterwards and gives the position up to which
 * its log is needed.
 */
async function makePoint(
  sql: Sql,
  nodes: readonly Node[],
  reach: string,
): Promise<{ point: RestorePoint; reached: Map<string, string> }> {
  const name = newBackupId();
  await sql`select citus_create_restore_point(${name})`.catch((error: unknown) => {
    if (!/must be superuser/.test(String(error))) throw error;
    throw new BackupError(
      'Backups of a cluster need an account that is a superuser: Citus lets no other make restore points',
    );
  });
  const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  const rows = await sql<{ node: string; success: boolean; result: string }[]>`
    select n.nodename || ':' || n.nodeport as node, r.success, r.result
    from run_command_on_all_nodes(${reach}) r join pg_dist_node n on n.nodeid = r.nodeid`;
  const failed = rows.find(({ success }) => !success);
  if (failed !== undefined) throw new BackupError(`${failed.node}: ${failed.result}`);
  const missing = nodes.find(({ node }) => !rows.some((row) => row.node === node));
  if (missing !== undefined) throw new BackupError(`${missing.node} is no node of the cluster any more: start again`);
  return {
    point: {
      name,
      at: (now?.at ?? new Date()).toISOString(),
      nodes: nodes.map(({ name: part, node }) => ({ store: part, address: node })),
    },
    reached: new Map(rows.map(({ node, result }) => [node, result])),
  };
}

function blame(node: string, error: unknown): never {
  if (error instanceof Error) error.message = `${node}: ${error.message}`;
  throw error;
}
