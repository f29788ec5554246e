import { readFile } from 'node:fs/promises';
import type { DatabaseAddress } from '../database/index.ts';
import type { LocalFileStore } from '../files/index.ts';
import { BackupError } from './backup-error.ts';
import { copyFiles, deleteOldFiles, FILE_LIST, listCopied } from './copy-files.ts';
import { openSlot, receiveWal, type WalSource } from './receive-wal.ts';
import { connectReplication, type Replication } from './replication.ts';
import {
  addBackup,
  type BackupInfo,
  type BackupRepository,
  baseName,
  deleteOldBackups,
  listBackups,
  newBackupId,
  removeIncomplete,
  type SealedInfo,
} from './repository.ts';
import { type SealedWriter, sealInto } from './sealed-file.ts';
import { verifyBackup } from './verify-backup.ts';
import { parseLsn } from './wal-position.ts';

export type BackupOptions = {
  address: DatabaseAddress;
  repository: BackupRepository;
  /** How many base backups stay, this one included. Undefined: all. */
  keep: number | undefined;
  isEmbedded: boolean;
  /** Put into encrypted backups only: with it, everything that the database encrypts can be read. */
  secretFile: string | undefined;
  /** Copied too. Undefined: files are in a bucket. */
  files: LocalFileStore | undefined;
  version: string;
  schemaLevel: string;
  onProgress?: (doneBytes: number) => void;
};

export type BackupResult = {
  backup: BackupInfo;
  deleted: string[];
  /** Of those that stay. */
  oldestId: string;
  hasFollower: boolean;
  storedFiles: number;
};

/** Takes a base backup with the log it needs, reads it back, and only then makes it a complete one. */
export async function takeBackup(options: BackupOptions): Promise<BackupResult> {
  const { repository } = options;
  const { store } = repository;
  const lock = await store.lock('base/');
  const id = newBackupId();
  try {
    await removeIncomplete(store);
    const copied = new Set(options.files && (await listCopied(repository)).keys());
    // Before, for files that are removed while the base backup is taken, and after it, for those that are added.
    const before = options.files && (await copyFiles(repository, options.files, copied));
    const { backup, hasFollower } = await receiveBackup(id, options);
    const after = options.files && (await copyFiles(repository, options.files, copied));
    const fileKeys = new Set([...(before ?? []), ...(after ?? [])]);
    if (options.files !== undefined) backup.files.push(await writeFileList(repository, id, fileKeys));
    await verifyBackup(repository, backup);
    await addBackup(store, backup);
    const deleted = options.keep === undefined ? [] : await deleteOldBackups(store, options.keep);
    if (after !== undefined && options.keep !== undefined) await deleteOldFiles(repository, after);
    const oldestId = (await listBackups(store))[0]?.id ?? id;
    return { backup, deleted, oldestId, hasFollower, storedFiles: fileKeys.size };
  } catch (error) {
    const isComplete = await store.find(baseName(id, 'backup.json')).catch(() => true);
    if (!isComplete) await store.removeAll(baseName(id, '')).catch(() => undefined);
    throw error;
  } finally {
    lock.release();
  }
}

async function writeFileList(
  { store, key }: BackupRepository,
  id: string,
  fileKeys: ReadonlySet<string>,
): Promise<SealedInfo> {
  const target = await store.write(baseName(id, FILE_LIST));
  const writer = await sealInto(target, { name: `${id}/${FILE_LIST}`, key });
  try {
    await writer.write(Buffer.from([...fileKeys].join('\n')));
    return { name: FILE_LIST, ...(await writer.finish()) };
  } finally {
    await writer.close();
  }
}

async function receiveBackup(
  id: string,
  options: BackupOptions,
): Promise<Pick<BackupResult, 'backup' | 'hasFollower'>> {
  const { repository, address } = options;
  const source = await connectSource(address);
  try {
    await refuseOtherDatabase(source, repository);
    await openSlot(source, repository);
    const backup = await writeBackup(source, id, options);
    // The server keeps the connection of a finished COPY, but not of one that is ended early: the log is the last thing read from it.
    const hasFollower = !(await receiveWal(source, repository, { until: parseLsn(backup.end_lsn) }));
    return { backup, hasFollower };
  } finally {
    await source.replication.close();
  }
}

export type Source = WalSource & { systemId: string; version: number };

export async function connectSource(address: DatabaseAddress): Promise<Source> {
  const replication = await connectReplication(address);
  try {
    const [system] = await replication.ask('IDENTIFY_SYSTEM');
    const segment = await showSetting(replication, 'wal_segment_size');
    const level = await showSetting(replication, 'wal_level');
    if (level === 'minimal')
      throw new BackupError('The server has wal_level minimal, which has no backups: set it to replica');
    return {
      replication,
      systemId: system?.[0] ?? '',
      timeline: Number(system?.[1]),
      segmentBytes: parseSize(segment),
      version: Number(await showSetting(replication, 'server_version_num')),
    };
  } catch (error) {
    await replication.close();
    throw error;
  }
}

async function showSetting(replication: Replication, name: string): Promise<string> {
  return (await replication.ask(`SHOW ${name}`))[0]?.[0] ?? '';
}

function parseSize(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(MB|GB)$/.exec(text) ?? [];
  if (number === '') throw new BackupError(`The server's wal_segment_size is ${text}, which is not known here`);
  return Number(number) * (unit === 'GB' ? 1024 ** 3 : 1024 ** 2);
}

/** Logs of two databases in one repository could be mistaken for each other. */
export async function refuseOtherDatabase({ systemId }: Source, { store }: BackupRepository): Promise<void> {
  const other = (await listBackups(store)).find(({ system_id }) => system_id !== systemId);
  if (other === undefined) return;
  throw new BackupError(`${store.location} has backups of another database (${other.id}): choose another folder`);
}

async function writeBackup(
  source: Source,
  id: string,
  { repository, isEmbedded, secretFile, version, schemaLevel, onProgress }: BackupOptions,
): Promise<BackupInfo> {
  const startedAt = new Date();
  // A checksum of each file, which the verification compares. CRC-32C, the default, is not in Node's zlib.
  const { messages, results } = source.replication.copy(
    `BASE_BACKUP (LABEL 'dukkan ${id}', CHECKPOINT 'fast', WAL true, WAIT true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`,
  );
  const files: SealedInfo[] = [];
  let writer: SealedWriter | undefined;
  let name = '';
  let contentBytes = 0;
  const open = async (next: string) => {
    if (files.some((file) => file.name === next)) throw new BackupError(`The server sent ${next} twice`);
    await finish();
    name = next;
    const target = await repository.store.write(baseName(id, next));
    writer = await sealInto(target, { name: `${id}/${next}`, key: repository.key });
  };
  const finish = async () => {
    if (writer === undefined) return;
    files.push({ name, ...(await writer.finish()) });
    writer = undefined;
  };
  try {
    for await (const message of messages) {
      const kind = String.fromCharCode(message[0] ?? 0);
      if (kind === 'n') {
        const [archive = '', location = ''] = message.toString('utf8', 1).split('\0');
        if (archive !== 'base.tar' || location !== '') {
          throw new BackupError(
            `The server has a tablespace at ${location || archive}, which is not backed up: use pg_basebackup`,
          );
        }
        await open('base.tar');
      } else if (kind === 'm') await open('manifest');
      else if (kind === 'd') {
        await writer?.write(message.subarray(1));
        contentBytes += message.length - 1;
        onProgress?.(contentBytes);
      }
    }
    await finish();
    if (repository.key !== undefined && secretFile !== undefined) {
      await open('secret');
      await (writer as SealedWriter | undefined)?.write(await readFile(secretFile));
      await finish();
    }
  } finally {
    await writer?.close().catch(() => undefined);
  }
  const [start] = results[0] ?? [];
  const end = results.findLast((rows) => rows.length > 0)?.[0];
  return {
    id,
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
    dukkan_version: version,
    schema_level: schemaLevel,
    postgres_version: Math.floor(source.version / 10_000),
    system_id: source.systemId,
    timeline: source.timeline,
    start_lsn: start?.[0] ?? '',
    end_lsn: end?.[0] ?? '',
    wal_segment_bytes: source.segmentBytes,
    is_embedded: isEmbedded,
    content_bytes: contentBytes,
    files,
  };
}
