import { createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BackupError } from './backup-error.ts';
import { parseSegmentName } from './wal-position.ts';

/**
 * A folder with the backups of one database: `folder.json`, `base/<id>/` for each base backup and `wal/` for the log since the oldest.
 * What is incomplete has a name that ends in `.partial` or `.part`.
 */
export type BackupFolder = {
  path: string;
  basePath: string;
  walPath: string;
  /** Undefined when the folder is not encrypted. */
  key: Buffer | undefined;
  /** Names the replication slot: each folder has its own. */
  id: string;
};

type FolderFile = { format: 1; id: string; encryption: { salt: string; check: string } | null };

export type SealedInfo = { name: string; bytes: number; sha256: string };

/** `backup.json` of one base backup. */
export type BackupInfo = {
  id: string;
  started_at: string;
  finished_at: string;
  dukkan_version: string;
  schema_level: string;
  postgres_version: number;
  system_id: string;
  timeline: number;
  start_lsn: string;
  end_lsn: string;
  wal_segment_bytes: number;
  is_embedded: boolean;
  /** Of the database, before compression. */
  content_bytes: number;
  files: SealedInfo[];
};

const FOLDER_FILE = 'folder.json';
const SALT_BYTES = 16;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

export async function openBackupFolder(
  folder: string,
  { passphraseFile, create }: { passphraseFile: string | undefined; create: boolean },
): Promise<BackupFolder> {
  const passphrase = passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile);
  const found = await readFolderFile(folder);
  if (found === undefined && !create) throw new BackupError(`${folder} is not a folder with backups of Dukkan`);
  const stored = found ?? (await createFolder(folder, passphrase));
  return {
    path: folder,
    basePath: path.join(folder, 'base'),
    walPath: path.join(folder, 'wal'),
    key: keyOf(folder, stored, passphrase),
    id: stored.id,
  };
}

async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new BackupError(`The passphrase file cannot be read: ${error.message}`);
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length < 12) throw new BackupError(`${file} must hold a passphrase of at least 12 characters`);
  return passphrase;
}

async function readFolderFile(folder: string): Promise<FolderFile | undefined> {
  const text = await readFile(path.join(folder, FOLDER_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = parseJson<FolderFile>(text);
  if (parsed?.format !== 1)
    throw new BackupError(`${path.join(folder, FOLDER_FILE)} is damaged, or of a later version`);
  return parsed;
}

async function createFolder(folder: string, passphrase: string | undefined): Promise<FolderFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const others = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  if (others.length > 0)
    throw new BackupError(`${folder} is not empty and has no backups of Dukkan: choose another folder`);
  for (const name of ['base', 'wal']) await mkdir(path.join(folder, name), { mode: 0o700 });
  const salt = randomBytes(SALT_BYTES);
  const encryption =
    passphrase === undefined
      ? null
      : { salt: salt.toString('hex'), check: checkOf(deriveKey(passphrase, salt)).toString('hex') };
  const stored: FolderFile = { format: 1, id: randomBytes(6).toString('hex'), encryption };
  await writeDurably(path.join(folder, FOLDER_FILE), JSON.stringify(stored));
  return stored;
}

function keyOf(folder: string, { encryption }: FolderFile, passphrase: string | undefined): Buffer | undefined {
  if (encryption === null) {
    if (passphrase === undefined) return undefined;
    throw new BackupError(
      `The backups in ${folder} are not encrypted: choose another folder, or omit --passphrase-file`,
    );
  }
  if (passphrase === undefined) {
    throw new BackupError(`The backups in ${folder} are encrypted: give the passphrase with --passphrase-file`);
  }
  const key = deriveKey(passphrase, Buffer.from(encryption.salt, 'hex'));
  if (!timingSafeEqual(checkOf(key), Buffer.from(encryption.check, 'hex'))) {
    throw new BackupError(`The passphrase is not the one of the backups in ${folder}`);
  }
  return key;
}

function deriveKey(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase, salt, 32, SCRYPT);
}

function checkOf(key: Buffer): Buffer {
  return createHmac('sha256', key).update('dukkan backup').digest();
}

/** Complete base backups, the oldest first. */
export async function listBackups({ basePath }: Pick<BackupFolder, 'basePath'>): Promise<BackupInfo[]> {
  const names = (await readdir(basePath)).filter((name) => /^[0-9TZ]+-[0-9a-f]+$/.test(name)).sort();
  const backups: BackupInfo[] = [];
  for (const name of names) {
    const text = await readFile(path.join(basePath, name, 'backup.json'), 'utf8').catch(() => '');
    const info = parseJson<BackupInfo>(text);
    if (info !== undefined) backups.push(info);
  }
  return backups;
}

/** Segments of one timeline that are complete, in order. */
export async function listSegments(
  { walPath }: BackupFolder,
  timeline: number,
  segmentBytes: number,
): Promise<bigint[]> {
  const segments = (await readdir(walPath)).flatMap((name) => {
    const found = parseSegmentName(name, segmentBytes);
    return found?.timeline === timeline ? [found.segment] : [];
  });
  return segments.sort((a, b) => (a < b ? -1 : 1));
}

/** Deletes base backups beyond the newest `keep`, and the log that only they needed. */
export async function deleteOldBackups(folder: BackupFolder, keep: number): Promise<string[]> {
  const backups = await listBackups(folder);
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  // Renamed first: a deletion that is interrupted leaves no half of a backup under a complete one's name.
  for (const { id } of old) {
    const doomed = path.join(folder.basePath, `${id}.partial`);
    await rename(path.join(folder.basePath, id), doomed);
    await rm(doomed, { recursive: true, force: true });
  }
  const oldest = backups[old.length];
  if (old.length > 0 && oldest !== undefined) await deleteWalBefore(folder, oldest);
  return old.map(({ id }) => id);
}

async function deleteWalBefore({ walPath }: BackupFolder, { timeline, start_lsn, wal_segment_bytes }: BackupInfo) {
  const [high = '0', low = '0'] = start_lsn.split('/');
  const first = ((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)) / BigInt(wal_segment_bytes);
  for (const name of await readdir(walPath)) {
    const found = parseSegmentName(name.slice(0, 24), wal_segment_bytes);
    const isNeeded =
      found === undefined || found.timeline > timeline || (found.timeline === timeline && found.segment >= first);
    if (!isNeeded) await rm(path.join(walPath, name), { force: true });
  }
}

/** Incomplete base backups of a process that was stopped. Call with the folder locked. */
export async function removePartial({ basePath }: BackupFolder): Promise<void> {
  for (const name of await readdir(basePath)) {
    if (name.endsWith('.partial')) await rm(path.join(basePath, name), { recursive: true, force: true });
  }
}

export async function writeDurably(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await syncFolder(path.dirname(file));
}

/** A new name survives a crash of the machine only when its folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function parseJson<Value>(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
