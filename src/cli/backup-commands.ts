import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { MIGRATIONS_FOLDER } from '../open-installation.ts';
import {
  BackupError,
  chooseBackup,
  extractBackup,
  followWal,
  listBackups,
  openBackupFolder,
  RECOVERY_SETTINGS,
  readBackupFile,
  takeBackup,
} from '../platform/backup/index.ts';
import type { Config } from '../platform/config.ts';
import { type DatabaseAddress, readSchemaLevel } from '../platform/database/index.ts';
import { replaceFact } from '../platform/installation/index.ts';
import { findRunningServer, restoreCluster } from '../platform/postgres/index.ts';
import { type CommandContext, defineCommand, UsageError } from './command.ts';
import { formatTable } from './format-text.ts';

const PASSPHRASE = {
  value: 'FILE',
  meaning: 'encrypt with the passphrase in its first line; a folder is encrypted or not',
};
const MAX_KEPT = 1_000;

const backup = defineCommand({
  name: 'backup',
  summary: 'take a base backup of the database, verify it, and copy the log since the last one',
  options: {
    to: { value: 'FOLDER', meaning: 'where backups are; DUKKAN_BACKUP_DIR otherwise' },
    keep: { value: 'NUMBER', meaning: 'delete base backups beyond the newest NUMBER, and their log' },
    'passphrase-file': PASSPHRASE,
    follow: { meaning: 'then copy the log as it is written, until stopped: any second can be restored' },
  },
  example: 'backup --to /mnt/backups/dukkan --keep 7',
  details: `Works while the service runs. An account of your own PostgreSQL needs the attribute REPLICATION. Images and DUKKAN_SECRET are
backed up apart; an encrypted backup of the embedded database includes the secret.`,
  async run(context, { options }) {
    const keep = readKeep(options.keep);
    const { platform: config } = context.settings();
    const folder = await openBackupFolder(folderOf(config, options.to), {
      passphraseFile: options['passphrase-file'],
      create: true,
    });
    const { sql } = await context.platform();
    const isEmbedded = config.databaseUrl === undefined;
    const secretFile = isEmbedded && config.secret === undefined ? path.join(config.dataDir, 'secret') : undefined;
    const {
      backup: taken,
      deleted,
      hasFollower,
    } = await takeBackup({
      address: await addressOf(config),
      folder,
      keep,
      isEmbedded,
      secretFile,
      version: packageFile.version,
      schemaLevel: await readSchemaLevel(MIGRATIONS_FOLDER),
    });
    await replaceFact(sql, 'last_backup', JSON.stringify({ at: taken.finished_at, id: taken.id, folder: folder.path }));
    const value = {
      id: taken.id,
      finished_at: taken.finished_at,
      content_bytes: taken.content_bytes,
      stored_bytes: storedBytes(taken.files),
      encrypted: folder.key !== undefined,
      verified: true,
      deleted,
    };
    if (!options.follow) return { value };
    if (hasFollower) throw new BackupError(`Another process follows the log into ${folder.path} already`);
    context.screen.write(
      `Base backup ${taken.id} is complete. Following the log into ${folder.path}; Ctrl-C ends it\n`,
    );
    await follow(context, config, folder);
    return { value };
  },
});

async function follow(context: CommandContext, config: Config, folder: Parameters<typeof followWal>[0]['folder']) {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  await followWal({
    address: () => addressOf(config),
    folder,
    signal: stopping.signal,
    onProgress: () => undefined,
    onLost: (reason) => context.screen.write(`Lost the server (${reason}); trying again\n`),
  });
}

const backups = defineCommand({
  name: 'backups',
  summary: 'list the complete base backups of a folder',
  options: { from: { value: 'FOLDER', meaning: 'where backups are; DUKKAN_BACKUP_DIR otherwise' } },
  example: 'backups --from /mnt/backups/dukkan',
  async run(context, { options }) {
    const folder = folderOf(context.settings().platform, options.from);
    const listed = await listBackups({ basePath: path.join(folder, 'base') }).catch(() => {
      throw new BackupError(`${folder} is not a folder with backups of Dukkan`);
    });
    const rows = listed.map(({ id, finished_at, schema_level, postgres_version, content_bytes, files }) => ({
      id,
      finished_at,
      schema_level,
      postgres_version,
      content_bytes,
      stored_bytes: storedBytes(files),
    }));
    const columns = ['id', 'finished_at', 'schema_level', 'postgres_version', 'content_bytes', 'stored_bytes'] as const;
    return { value: { backups: rows }, text: rows.length === 0 ? 'There are no backups.' : formatTable(columns, rows) };
  },
});

const restore = defineCommand({
  name: 'restore',
  summary: 'restore the database from a backup, to the end of its log or to a moment',
  options: {
    from: { value: 'FOLDER', meaning: 'where backups are; DUKKAN_BACKUP_DIR otherwise' },
    backup: { value: 'ID', meaning: 'this base backup; otherwise the newest before the moment' },
    until: { value: 'TIME', meaning: 'to this moment, such as 2026-11-18T09:30:00Z' },
    cluster: { value: 'FOLDER', meaning: "write a cluster for your own PostgreSQL's data folder, which must be empty" },
    'passphrase-file': PASSPHRASE,
  },
  example: 'restore --from /mnt/backups/dukkan --until 2026-11-18T09:30:00Z',
  details: `Without --cluster the embedded database of DUKKAN_DATA_DIR is made, which must not be there yet. With it, start PostgreSQL of the
same version on the folder afterwards: it recovers by itself. Take a new base backup after a restore.`,
  async run(context, { options }) {
    const { platform: config } = context.settings();
    const until = options.until === undefined ? undefined : readMoment(options.until);
    const folder = await openBackupFolder(folderOf(config, options.from), {
      passphraseFile: options['passphrase-file'],
      create: false,
    });
    const chosen = await chooseBackup(folder, { id: options.backup, until });
    if (options.cluster !== undefined) {
      const clusterDir = path.resolve(options.cluster);
      await refuseUsedFolder(clusterDir);
      await extractBackup(folder, chosen, clusterDir, until);
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
      extract: (clusterDir) => extractBackup(folder, chosen, clusterDir, until),
      recoverySettings: RECOVERY_SETTINGS,
    }).catch((error: Error) => {
      if (!/recovery ended before configured recovery target/.test(error.message)) throw error;
      throw new BackupError(
        `The log in ${folder.path} ends before ${until?.toISOString()}: omit --until to restore all of it`,
      );
    });
    const hasSecret = chosen.files.some(({ name }) => name === 'secret');
    if (hasSecret) await restoreSecret(folder, chosen, config.dataDir);
    const value = {
      backup: chosen.id,
      restored_until: restoredUntil?.toISOString() ?? chosen.finished_at,
      data_dir: config.dataDir,
    };
    const note = hasSecret
      ? undefined
      : `Put the secret of the installation into ${path.join(config.dataDir, 'secret')}, or set DUKKAN_SECRET.`;
    return { value, note };
  },
});

async function restoreSecret(
  folder: Parameters<typeof readBackupFile>[0],
  chosen: Parameters<typeof readBackupFile>[2],
  dataDir: string,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of readBackupFile(folder, path.join(folder.basePath, chosen.id), chosen, 'secret'))
    parts.push(part);
  await writeFile(path.join(dataDir, 'secret'), Buffer.concat(parts), { mode: 0o600, flush: true });
}

/** The server's address after the platform is open: of the embedded server, that of the running one. */
async function addressOf(config: Config): Promise<DatabaseAddress> {
  const address = config.databaseUrl ?? (await findRunningServer(config.dataDir));
  if (address === undefined) throw new Error('the embedded PostgreSQL is not running');
  return address;
}

function folderOf({ backupDir }: Config, given: string | undefined): string {
  const folder = given ?? backupDir;
  if (folder === undefined) throw new UsageError('name the folder of the backups, or set DUKKAN_BACKUP_DIR');
  return path.resolve(folder);
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

function storedBytes(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

export const BACKUP_COMMANDS = [backup, backups, restore];
