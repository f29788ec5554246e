import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { MIGRATIONS_FOLDER } from '../open-installation.ts';
import {
  BackupError,
  type BackupInfo,
  type BackupRepository,
  type BackupStore,
  chooseBackup,
  extractBackup,
  followFiles,
  followWal,
  isOfCluster,
  listBackups,
  openBackupStore,
  openRepository,
  RECOVERY_SETTINGS,
  readAll,
  readBackupFile,
  requireRepository,
  restoreFiles,
  takeBackup,
} from '../platform/backup/index.ts';
import type { Config } from '../platform/config.ts';
import { type DatabaseAddress, readSchemaLevel } from '../platform/database/index.ts';
import { type LocalFileStore, openLocalFileStore } from '../platform/files/index.ts';
import { replaceFact } from '../platform/installation/index.ts';
import { findRunningServer, restoreCluster } from '../platform/postgres/index.ts';
import { backupCluster } from './cluster/backup-answer.ts';
import { listNodeBackups, restoreNode, withCoordinatorStore } from './cluster/restore-node.ts';
import { type Answer, type CommandContext, defineCommand, UsageError } from './command.ts';
import { formatTable } from './format-text.ts';
import { storedBytes } from './stored-bytes.ts';
import { untilStopped } from './until-stopped.ts';

const PASSPHRASE = {
  value: 'FILE',
  meaning: 'encrypt with the passphrase in its first line; a target is encrypted or not',
};
const TARGET = 'where backups are: a folder or s3://bucket/prefix; DUKKAN_BACKUP_DIR otherwise';
const MAX_KEPT = 1_000;

const backup = defineCommand({
  name: 'backup',
  summary: 'take a base backup of the database, verify it, and copy new images and the log since the last one',
  options: {
    to: { value: 'TARGET', meaning: TARGET },
    keep: { value: 'NUMBER', meaning: 'delete base backups beyond the newest NUMBER, and their log' },
    'passphrase-file': PASSPHRASE,
    follow: { meaning: 'then copy the log as it is written, until stopped: any second can be restored' },
  },
  example: 'backup --to /mnt/backups/dukkan --keep 7',
  details: `Works while the service runs. An account of your own PostgreSQL needs the attribute REPLICATION. Images of the
local folder are included; those in S3 are not. An encrypted backup of the embedded database includes the secret; back up DUKKAN_SECRET apart.`,
  async run(context, { options }) {
    const keep = readKeep(options.keep);
    const { platform: config } = context.settings();
    return withStore(config, options.to, async (store) => {
      const { sql } = await context.platform();
      const passphraseFile = options['passphrase-file'];
      if (sql.layout.isDistributed) {
        return backupCluster(context, store, { keep, passphraseFile, follow: options.follow });
      }
      const repository = await openRepository(store, { passphraseFile, create: true });
      const isEmbedded = config.databaseUrl === undefined;
      const secretFile = isEmbedded && config.secret === undefined ? path.join(config.dataDir, 'secret') : undefined;
      const files = config.files.driver === 'local' ? await openLocalFileStore(config.files) : undefined;
      const {
        backup: taken,
        deleted,
        hasFollower,
        storedFiles,
      } = await takeBackup({
        address: await addressOf(config),
        repository,
        keep,
        isEmbedded,
        secretFile,
        files,
        version: packageFile.version,
        schemaLevel: await readSchemaLevel(MIGRATIONS_FOLDER),
      });
      const fact = { at: taken.finished_at, id: taken.id, folder: store.location, files: files && storedFiles };
      await replaceFact(sql, 'last_backup', JSON.stringify(fact));
      const value = {
        id: taken.id,
        finished_at: taken.finished_at,
        content_bytes: taken.content_bytes,
        stored_bytes: storedBytes(taken.files),
        encrypted: repository.key !== undefined,
        verified: true,
        ...(files && { images: storedFiles }),
        deleted,
      };
      if (!options.follow) return { value };
      if (hasFollower) throw new BackupError(`Another process follows the log into ${store.location} already`);
      context.screen.write(
        `Base backup ${taken.id} is complete. Following the log into ${store.location}; Ctrl-C ends it\n`,
      );
      await follow(context, config, repository, files);
      return { value };
    });
  },
});

async function follow(
  context: CommandContext,
  config: Config,
  repository: BackupRepository,
  files: LocalFileStore | undefined,
): Promise<void> {
  const { stopping, signal, onLost } = untilStopped(context);
  const address = () => addressOf(config);
  try {
    await Promise.all([
      followWal({ address, repository, signal, onProgress: () => undefined, onLost }),
      files && followFiles({ repository, files, signal, onLost }),
    ]);
  } finally {
    stopping.abort();
  }
}

const COLUMNS = ['id', 'finished_at', 'schema_level', 'postgres_version', 'content_bytes', 'stored_bytes'] as const;
const NONE = 'There are no backups.';

const rowOf = ({ id, finished_at, schema_level, postgres_version, content_bytes, files }: BackupInfo) => ({
  id,
  finished_at,
  schema_level,
  postgres_version,
  content_bytes,
  stored_bytes: storedBytes(files),
});

const backups = defineCommand({
  name: 'backups',
  summary: 'list the complete base backups of a folder or bucket',
  options: { from: { value: 'TARGET', meaning: TARGET } },
  example: 'backups --from /mnt/backups/dukkan',
  async run(context, { options }) {
    const { platform: config } = context.settings();
    return withStore(config, options.from, async (store): Promise<Answer> => {
      if (await isOfCluster(store)) {
        const { backups: listed, restorePoints } = await listNodeBackups(store, config);
        const rows = listed.map(({ node, ...backup }) => ({ node, ...rowOf(backup) }));
        const points = `${restorePoints.count} restore points, from ${restorePoints.first} to ${restorePoints.last}`;
        const text = rows.length === 0 ? NONE : `${formatTable(['node', ...COLUMNS], rows)}\n${points}`;
        return { value: { backups: rows, restore_points: restorePoints }, text };
      }
      await requireRepository(store);
      const rows = (await listBackups(store)).map(rowOf);
      return { value: { backups: rows }, text: rows.length === 0 ? NONE : formatTable(COLUMNS, rows) };
    });
  },
});

const restore = defineCommand({
  name: 'restore',
  summary: 'restore the database from a backup, to the end of its log or to a moment',
  options: {
    from: { value: 'TARGET', meaning: TARGET },
    backup: { value: 'ID', meaning: 'this base backup; otherwise the newest before the moment' },
    until: { value: 'TIME', meaning: 'to this moment, such as 2026-11-18T09:30:00Z' },
    cluster: { value: 'FOLDER', meaning: "write a cluster for your own PostgreSQL's data folder, which must be empty" },
    node: { value: 'HOST:PORT', meaning: 'of a cluster: the node to restore' },
    images: { meaning: 'restore only the images, into DUKKAN_DATA_DIR' },
    'passphrase-file': PASSPHRASE,
  },
  example: 'restore --from /mnt/backups/dukkan --until 2026-11-18T09:30:00Z',
  details: `Without --cluster the embedded database of DUKKAN_DATA_DIR is made, which must not be there yet. With it, start PostgreSQL of the
same version on the folder afterwards: it recovers by itself; restore images with --images where the service runs. Take a new base backup after a restore.`,
  async run(context, { options }) {
    const { platform: config } = context.settings();
    const until = options.until === undefined ? undefined : readMoment(options.until);
    const passphraseFile = options['passphrase-file'];
    const { backup: id, node, cluster } = options;
    return withStore(config, options.from, async (store): Promise<Answer> => {
      const images = async (place: BackupStore) => {
        const repository = await openRepository(place, { passphraseFile, create: false });
        const from = await chooseBackup(repository, { id, until });
        const { images: restored, note } = await restoreImages(repository, from, config);
        return { value: { backup: from.id, images: restored }, note };
      };
      if (await isOfCluster(store)) {
        if (options.images) return withCoordinatorStore(store, config, until, images);
        if (cluster !== undefined) await refuseUsedFolder(path.resolve(cluster));
        return restoreNode(store, config, { node, cluster, backup: id, until, passphraseFile });
      }
      if (node !== undefined)
        throw new UsageError(`--node is for backups of a cluster; ${store.location} has those of one server`);
      if (options.images) return images(store);
      const repository = await openRepository(store, { passphraseFile, create: false });
      const chosen = await chooseBackup(repository, { id, until });
      if (cluster !== undefined) {
        const clusterDir = path.resolve(cluster);
        await refuseUsedFolder(clusterDir);
        await extractBackup(repository, chosen, clusterDir, until);
        const note = `Start PostgreSQL ${chosen.postgres_version} on ${clusterDir}, owned by its account: it recovers by itself.`;
        return { value: { backup: chosen.id, cluster: clusterDir }, note };
      }
      if (config.databaseUrl !== undefined || !chosen.is_embedded) {
        throw new UsageError('this restore is for your own PostgreSQL: give its data folder with --cluster');
      }
      const { restoredUntil } = await restoreCluster({
        dataDir: config.dataDir,
        majorVersion: chosen.postgres_version,
        log: context.log(),
        extract: (clusterDir) => extractBackup(repository, chosen, clusterDir, until),
        recoverySettings: RECOVERY_SETTINGS,
      }).catch((error: Error) => {
        if (!/recovery ended before configured recovery target/.test(error.message)) throw error;
        throw new BackupError(
          `The log in ${store.location} ends before ${until?.toISOString()}: omit --until to restore all of it`,
        );
      });
      const hasSecret = chosen.files.some(({ name }) => name === 'secret');
      if (hasSecret) await restoreSecret(repository, chosen, config.dataDir);
      const { images: restoredImages, note } = await restoreImages(repository, chosen, config);
      const value = {
        backup: chosen.id,
        restored_until: restoredUntil?.toISOString() ?? chosen.finished_at,
        data_dir: config.dataDir,
        images: restoredImages,
      };
      const secretNote = `Put the secret of the installation into ${path.join(config.dataDir, 'secret')}, or set DUKKAN_SECRET.`;
      const notes = [hasSecret ? undefined : secretNote, note].filter((text) => text !== undefined);
      return { value, note: notes.length === 0 ? undefined : notes.join('\n') };
    });
  },
});

async function restoreImages(
  repository: BackupRepository,
  chosen: BackupInfo,
  config: Config,
): Promise<{ images: number; note: string | undefined }> {
  if (config.files.driver !== 'local') return { images: 0, note: 'Images are in S3, which no backup includes.' };
  const { restored, failed } = await restoreFiles(repository, chosen, await openLocalFileStore(config.files));
  if (failed.length === 0) return { images: restored, note: undefined };
  return {
    images: restored,
    note: `${failed.length} images are damaged or missing in the backup; the first is ${failed[0]}.`,
  };
}

async function restoreSecret(repository: BackupRepository, chosen: BackupInfo, dataDir: string): Promise<void> {
  const secret = await readAll(readBackupFile(repository, chosen, 'secret'));
  await writeFile(path.join(dataDir, 'secret'), secret, { mode: 0o600, flush: true });
}

/** The server's address after the platform is open: of the embedded server, that of the running one. */
async function addressOf(config: Config): Promise<DatabaseAddress> {
  const address = config.databaseUrl ?? (await findRunningServer(config.dataDir));
  if (address === undefined) throw new Error('the embedded PostgreSQL is not running');
  return address;
}

async function withStore<Result>(
  { backupTarget, backupS3 }: Config,
  given: string | undefined,
  work: (store: BackupStore) => Promise<Result>,
): Promise<Result> {
  const target = given ?? backupTarget;
  if (target === undefined) throw new UsageError('name the folder or bucket of the backups, or set DUKKAN_BACKUP_DIR');
  const store = openBackupStore(target, backupS3);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function readKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const keep = Number(text);
  if (!/^\d+$/.test(text) || keep < 1 || keep > MAX_KEPT)
    throw new UsageError(`--keep must be a number from 1 to ${MAX_KEPT}`);
  return keep;
}

function readMoment(text: string): Date {
  const moment = new Date(text);
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  if (Number.isNaN(moment.getTime()) || !hasZone) {
    throw new UsageError(`--until: "${text}" is not a moment with a time zone, such as 2026-11-18T09:30:00Z`);
  }
  return moment;
}

async function refuseUsedFolder(folder: string): Promise<void> {
  const used = await stat(path.join(folder, 'PG_VERSION')).catch(() => undefined);
  if (used !== undefined) throw new UsageError(`${folder} has a cluster already: give an empty folder`);
}

export const BACKUP_COMMANDS = [backup, backups, restore];
