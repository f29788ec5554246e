import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseAddress } from '../database/index.ts';
import { lockFolder } from '../postgres/index.ts';
import { BackupError } from './backup-error.ts';
import {
  type BackupFolder,
  type BackupInfo,
  deleteOldBackups,
  listBackups,
  removePartial,
  type SealedInfo,
  syncFolder,
  writeDurably,
} from './backup-folder.ts';
import { openSlot, receiveWal, type WalSource } from './receive-wal.ts';
import { connectReplication, type Replication } from './replication.ts';
import { createSealedFile, type SealedWriter } from './sealed-file.ts';
import { verifyBackup } from './verify-backup.ts';
import { parseLsn } from './wal-position.ts';

export type BackupOptions = {
  address: DatabaseAddress;
  folder: BackupFolder;
  /** How many base backups stay, this one included. Undefined: all. */
  keep: number | undefined;
  isEmbedded: boolean;
  /** Put into encrypted backups only: with it, everything that the database encrypts can be read. */
  secretFile: string | undefined;
  version: string;
  schemaLevel: string;
  onProgress?: (doneBytes: number) => void;
};

export type BackupResult = { backup: BackupInfo; deleted: string[]; hasFollower: boolean };

/** Takes a base backup with the log it needs, reads it back, and only then gives it the name of a complete one. */
export async function takeBackup(options: BackupOptions): Promise<BackupResult> {
  const { folder, address } = options;
  const lock = await lockFolder(folder.basePath);
  try {
    await removePartial(folder);
    const source = await connectSource(address);
    const id = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}Z-${randomBytes(3).toString('hex')}`;
    const partial = path.join(folder.basePath, `${id}.partial`);
    let backup: BackupInfo;
    let hasFollower: boolean;
    try {
      await refuseOtherDatabase(source, folder);
      await openSlot(source, folder);
      await mkdir(partial, { mode: 0o700 });
      backup = await writeBackup(source, partial, id, options);
      // The server keeps the connection of a finished COPY, but not of one that is ended early: the log is the last thing read from it.
      hasFollower = !(await receiveWal(source, folder, { until: parseLsn(backup.end_lsn) }));
    } finally {
      await source.replication.close();
    }
    await verifyBackup(folder, partial, backup);
    await writeDurably(path.join(partial, 'backup.json'), JSON.stringify(backup, null, 2));
    await rename(partial, path.join(folder.basePath, id));
    await syncFolder(folder.basePath);
    const deleted = options.keep === undefined ? [] : await deleteOldBackups(folder, options.keep);
    return { backup, deleted, hasFollower };
  } finally {
    lock.release();
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

/** Logs of two databases in one folder could be mistaken for each other. */
export async function refuseOtherDatabase({ systemId }: Source, folder: BackupFolder): Promise<void> {
  const other = (await listBackups(folder)).find(({ system_id }) => system_id !== systemId);
  if (other === undefined) return;
  throw new BackupError(`${folder.path} has backups of another database (${other.id}): choose another folder`);
}

async function writeBackup(
  source: Source,
  partial: string,
  id: string,
  { folder, isEmbedded, secretFile, version, schemaLevel, onProgress }: BackupOptions,
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
    writer = await createSealedFile(path.join(partial, next), { name: `${id}/${next}`, key: folder.key });
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
    if (folder.key !== undefined && secretFile !== undefined) {
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
