import path from 'node:path';
import {
  type BackupStore,
  chooseBackup,
  chooseRestorePoint,
  extractBackup,
  listBackups,
  listRestorePoints,
  openRepository,
  type RestorePoint,
} from '../../platform/backup/index.ts';
import type { Config } from '../../platform/config.ts';
import { type Answer, UsageError } from '../command.ts';
import { openNodeStore } from './backup-cluster.ts';

type RestoreOptions = {
  node: string | undefined;
  /** The data folder to make. */
  cluster: string | undefined;
  backup: string | undefined;
  until: Date | undefined;
  passphraseFile: string | undefined;
};

/** Makes the data folder of one node, which recovers to the point to which the others are restored too. */
export async function restoreNode(store: BackupStore, config: Config, options: RestoreOptions): Promise<Answer> {
  const point = await chooseRestorePoint(store, options.until);
  const addresses = point.nodes.map(({ address }) => address).join(', ');
  const part = point.nodes.find(({ address }) => address === options.node);
  if (options.cluster === undefined || part === undefined) {
    throw new UsageError(
      `these are backups of a cluster, restored node by node: give --cluster, and --node of ${addresses}`,
    );
  }
  const folder = path.resolve(options.cluster);
  const nodeStore = openNodeStore(store, part.store, config);
  try {
    const repository = await openRepository(nodeStore, { passphraseFile: options.passphraseFile, create: false });
    const chosen = await chooseBackup(repository, { id: options.backup, until: new Date(point.at) });
    await extractBackup(repository, chosen, folder, { restorePoint: point.name });
    return {
      value: { backup: chosen.id, node: part.address, restore_point: point.name, at: point.at, cluster: folder },
      note:
        `Start PostgreSQL ${chosen.postgres_version} with Citus on ${folder}, owned by its account: it recovers by itself. ` +
        `Restore the other nodes with --until ${point.at}. How the coordinator gets their addresses: docs/operating.md#restore.`,
    };
  } finally {
    await nodeStore.close();
  }
}

/** The part that has the images. */
export async function withCoordinatorStore<Result>(
  store: BackupStore,
  config: Config,
  until: Date | undefined,
  work: (store: BackupStore) => Promise<Result>,
): Promise<Result> {
  const [coordinator] = (await chooseRestorePoint(store, until)).nodes as [RestorePoint['nodes'][number]];
  const nodeStore = openNodeStore(store, coordinator.store, config);
  try {
    return await work(nodeStore);
  } finally {
    await nodeStore.close();
  }
}

/** The base backups of every node of the newest point, and the points. */
export async function listNodeBackups(store: BackupStore, config: Config) {
  const names = await listRestorePoints(store);
  const nodes = names.length === 0 ? [] : (await chooseRestorePoint(store, undefined)).nodes;
  const backups = await Promise.all(
    nodes.map(async ({ address, store: name }) => {
      const nodeStore = openNodeStore(store, name, config);
      try {
        return (await listBackups(nodeStore)).map((backup) => ({ node: address, ...backup }));
      } finally {
        await nodeStore.close();
      }
    }),
  );
  return { backups: backups.flat(), restorePoints: { count: names.length, first: names[0], last: names.at(-1) } };
}
