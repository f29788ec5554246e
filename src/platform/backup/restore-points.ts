import { BackupError } from './backup-error.ts';
import { type BackupStore, writeWhole } from './backup-store.ts';
import { REPOSITORY_FILE } from './repository.ts';

/**
 * Backups of a cluster: `cluster.json`, a repository for each node under its name, and `points/`. At a restore point no transaction of several
 * nodes is half committed, so all nodes are restored to the same one. It is stored when the log of every node has it.
 */
export type RestorePoint = {
  name: string;
  /** What was committed later is not in it. */
  at: string;
  /** The coordinator first. `store` is the part of the target that has its backups. */
  nodes: { store: string; address: string }[];
};

const CLUSTER_FILE = 'cluster.json';
const POINTS = 'points/';

export async function isOfCluster(store: BackupStore): Promise<boolean> {
  return (await store.find(CLUSTER_FILE)) !== undefined;
}

/** Makes an empty target one for the nodes of a cluster. */
export async function openClusterTarget(store: BackupStore): Promise<void> {
  if (await isOfCluster(store)) return;
  if ((await store.find(REPOSITORY_FILE)) !== undefined) {
    throw new BackupError(`${store.location} has backups of one server: choose another target for those of a cluster`);
  }
  await store.create();
  await writeWhole(store, CLUSTER_FILE, JSON.stringify({ format: 1 }));
}

export async function addRestorePoint(store: BackupStore, point: RestorePoint): Promise<void> {
  await writeWhole(store, `${POINTS}${point.name}.json`, JSON.stringify(point, null, 2));
}

/** The oldest first: names begin with the time. */
export async function listRestorePoints({ list }: BackupStore): Promise<string[]> {
  const found = await list(POINTS);
  return found
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ name }) => name.slice(POINTS.length, -'.json'.length))
    .sort();
}

/** The last one at the moment or before it. */
export async function chooseRestorePoint(store: BackupStore, until: Date | undefined): Promise<RestorePoint> {
  const names = await listRestorePoints(store);
  for (const name of names.reverse()) {
    const point = JSON.parse(String(await store.find(`${POINTS}${name}.json`))) as RestorePoint;
    if (until === undefined || new Date(point.at) <= until) return point;
  }
  throw new BackupError(
    names.length === 0
      ? `${store.location} has no restore point of all nodes`
      : `${store.location} has no restore point at ${until?.toISOString()} or before it`,
  );
}

/** Those whose base backups are gone. */
export async function deleteRestorePointsBefore(store: BackupStore, backupId: string): Promise<void> {
  for (const name of await listRestorePoints(store)) if (name < backupId) await store.remove(`${POINTS}${name}.json`);
}
