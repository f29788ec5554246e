import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { prepareBinaries } from './binaries.ts';
import type { PostgresLog } from './bring-up-server.ts';
import { readPassword, removeAbandoned, STAGING_PREFIX, SUPERUSER } from './init-cluster.ts';
import { lockFolder } from './lock-folder.ts';
import { findClusterVersion, placeCluster } from './place-cluster.ts';
import { openDataDir, startEmbeddedPostgres } from './start-embedded-postgres.ts';

const ACCESS_FILE = 'pg_hba.restore.conf';

/**
 * Makes the cluster of a data folder that has none from what `extract` writes, lets it recover and gives it this folder's password.
 * When anything fails, the folder has no cluster again.
 */
export async function restoreCluster(options: {
  dataDir: string;
  majorVersion: number;
  log: PostgresLog;
  extract(clusterDir: string): Promise<void>;
  /** Settings that the recovery wrote into the cluster, and that must not stay. */
  recoverySettings: readonly string[];
  extraSettings?: Record<string, string>;
}): Promise<{ restoredUntil: Date | undefined }> {
  const dataDir = openDataDir(options.dataDir);
  const clusterDir = await placeExtracted(dataDir, options);
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      log: options.log,
      // The cluster still has the password of another folder. Only this account can enter the folder of the socket.
      extraSettings: {
        ...options.extraSettings,
        hba_file: join(clusterDir, ACCESS_FILE),
        // Otherwise the server says that it is ready while it still recovers.
        hot_standby: 'off',
      },
    });
    try {
      return await settle(server.connection, readPassword(dataDir, true), options.recoverySettings);
    } finally {
      await server.stop({ timeoutMs: 60_000 });
      rmSync(join(clusterDir, ACCESS_FILE), { force: true });
    }
  } catch (error) {
    rmSync(clusterDir, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

async function placeExtracted(
  dataDir: string,
  { majorVersion, extract }: Pick<Parameters<typeof restoreCluster>[0], 'majorVersion' | 'extract'>,
): Promise<string> {
  const lock = await lockFolder(dataDir);
  try {
    const { account, home, clusterDir } = placeCluster(dataDir);
    if (findClusterVersion(clusterDir) !== undefined) {
      throw new Error(`${dataDir} has a database already: set DUKKAN_DATA_DIR to an empty folder, or move it away`);
    }
    const binaries = await prepareBinaries(account);
    if (binaries.majorVersion !== majorVersion) {
      throw new Error(
        `The backup is of PostgreSQL ${majorVersion}, this Dukkan includes ${binaries.majorVersion}: restore it with the version that made it`,
      );
    }
    readPassword(dataDir, false);
    // A killed restore leaves as much as the database is large, and no start removes it once there is a cluster.
    removeAbandoned(home);
    const staging = join(home, `${STAGING_PREFIX}${randomBytes(6).toString('hex')}`);
    try {
      await extract(staging);
      writeFileSync(join(staging, ACCESS_FILE), 'local all all trust\nhost all all 127.0.0.1/32 trust\n');
      renameSync(staging, clusterDir);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
    return clusterDir;
  } finally {
    lock.release();
  }
}

async function settle(
  connection: pg.ClientConfig,
  password: string,
  recoverySettings: readonly string[],
): Promise<{ restoredUntil: Date | undefined }> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`alter role ${client.escapeIdentifier(SUPERUSER)} password ${client.escapeLiteral(password)}`);
    for (const name of recoverySettings) await client.query(`alter system reset ${client.escapeIdentifier(name)}`);
    const { rows } = await client.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at');
    return { restoredUntil: rows[0]?.at ?? undefined };
  } finally {
    await client.end().catch(() => undefined);
  }
}
