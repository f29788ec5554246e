import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { prepareBinaries } from './binaries.ts';
import type { PostgresLog, ServerSetup } from './bring-up-server.ts';
import { initCluster, readPassword } from './init-cluster.ts';
import { type FolderLock, lockFolder } from './lock-folder.ts';
import { findClusterVersion, placeCluster } from './place-cluster.ts';
import { type EmbeddedPostgres, superviseServer } from './supervise-server.ts';
import { refuseInterruptedUpgrade } from './upgrade-cluster.ts';

export type EmbeddedPostgresOptions = {
  dataDir: string;
  log: PostgresLog;
  /** Server settings that override the built-in ones. A server left running by an earlier service keeps its settings. */
  extraSettings?: Record<string, string>;
  /** A socket unless the platform has none. `tcp` binds a free port of 127.0.0.1. */
  listen?: 'socket' | 'tcp';
  /** Folder for files that the server's account cannot reach in the data folder; only root needs it. */
  sharedRoot?: string;
};

/** Starts the PostgreSQL of a data folder, creates it on the first start, and restarts it when it dies until `stop`. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = openDataDir(options.dataDir);
  const locks: FolderLock[] = [];
  try {
    locks.push(await lockFolder(dataDir));
    const placement = placeCluster(dataDir, options.sharedRoot);
    // A copied data folder links to the same cluster but has its own lock.
    if (placement.moved) locks.push(await lockFolder(placement.home));

    const { account, clusterDir } = placement;
    const binaries = await prepareBinaries(account, options.sharedRoot);
    const version = findClusterVersion(clusterDir);
    const password = readPassword(dataDir, version !== undefined);
    if (version === undefined) {
      refuseInterruptedUpgrade(placement);
      options.log.info({ folder: clusterDir, account: account?.name }, 'creating the embedded PostgreSQL database');
      await initCluster(placement, binaries, password);
    } else if (version !== binaries.majorVersion) {
      throw new Error(
        `${clusterDir} was created by PostgreSQL ${version}, this Dukkan includes ${binaries.majorVersion}: run dukkan upgrade-database`,
      );
    }
    const { log, extraSettings } = options;
    const setup: ServerSetup = {
      placement,
      binaries,
      password,
      logFile: join(dataDir, 'postgres.log'),
      extraSettings,
      log,
    };
    const listen = options.listen ?? (process.platform === 'win32' ? 'tcp' : 'socket');
    return await superviseServer(setup, listen, () => releaseAll(locks));
  } catch (error) {
    releaseAll(locks);
    throw error;
  }
}

export function openDataDir(folder: string): string {
  const path = resolve(folder);
  // In two steps: a recursive mkdir would apply the mode to the parent folders as well.
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(`This account may not write to ${path}: choose another data folder`);
  }
  return realpathSync(path);
}

function releaseAll(locks: FolderLock[]): void {
  for (const lock of locks) lock.release();
}
