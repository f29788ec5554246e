import { createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BackupError } from './backup-error.ts';
import { type BackupStore, writeWhole } from './backup-store.ts';
import { parseLsn, parseSegmentName } from './wal-position.ts';

/**
 * The backups of one installation: `folder.json`, `base/<id>/` for each base backup, `wal/` for the log since the oldest, and `files/` for
 * images. A base backup is complete when it has its `backup.json`, which is written last and deleted first.
 */
export type BackupRepository = {
  store: BackupStore;
  /** Undefined when the repository is not encrypted. */
  key: Buffer | undefined;
  /** Names the replication slot: each repository has its own. */
  id: string;
};

type RepositoryFile = { format: 1; id: string; encryption: { salt: string; check: string } | null };

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

export const REPOSITORY_FILE = 'folder.json';
const BACKUP_ID = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z-[0-9a-f]+$/;
const SALT_BYTES = 16;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

export async function openRepository(
  store: BackupStore,
  { passphraseFile, create }: { passphraseFile: string | undefined; create: boolean },
): Promise<BackupRepository> {
  const passphrase = passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile);
  let stored = await readRepositoryFile(store);
  if (stored === undefined && create) {
    await createRepository(store, passphrase);
    stored = await readRepositoryFile(store);
  }
  if (stored === undefined) throw notARepository(store);
  return { store, key: keyOf(store.location, stored, passphrase), id: stored.id };
}

/** Refuses a store without backups, where an empty list would look like one that was emptied. */
export async function requireRepository(store: BackupStore): Promise<void> {
  if ((await readRepositoryFile(store)) === undefined) throw notARepository(store);
}

function notARepository({ location }: BackupStore): BackupError {
  return new BackupError(`${location} has no backups of Dukkan`);
}

async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new BackupError(`The passphrase file cannot be read: ${error.message}`);
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length < 12) throw new BackupError(`${file} must hold a passphrase of at least 12 characters`);
  return passphrase;
}

async function readRepositoryFile(store: BackupStore): Promise<RepositoryFile | undefined> {
  const content = await store.find(REPOSITORY_FILE);
  if (content === undefined) return undefined;
  const parsed = parseJson<RepositoryFile>(content);
  if (parsed?.format !== 1)
    throw new BackupError(`${store.location}/${REPOSITORY_FILE} is damaged, or of a later version`);
  return parsed;
}

async function createRepository(store: BackupStore, passphrase: string | undefined): Promise<void> {
  await store.create();
  const salt = randomBytes(SALT_BYTES);
  const encryption =
    passphrase === undefined
      ? null
      : { salt: salt.toString('hex'), check: checkOf(deriveKey(passphrase, salt)).toString('hex') };
  const content: RepositoryFile = { format: 1, id: randomBytes(6).toString('hex'), encryption };
  await writeWhole(store, REPOSITORY_FILE, JSON.stringify(content));
}

function keyOf(location: string, { encryption }: RepositoryFile, passphrase: string | undefined): Buffer | undefined {
  if (encryption === null) {
    if (passphrase === undefined) return undefined;
    throw new BackupError(
      `The backups in ${location} are not encrypted: choose another folder, or omit --passphrase-file`,
    );
  }
  if (passphrase === undefined) {
    throw new BackupError(`The backups in ${location} are encrypted: give the passphrase with --passphrase-file`);
  }
  const key = deriveKey(passphrase, Buffer.from(encryption.salt, 'hex'));
  if (!timingSafeEqual(checkOf(key), Buffer.from(encryption.check, 'hex'))) {
    throw new BackupError(`The passphrase is not the one of the backups in ${location}`);
  }
  return key;
}

function deriveKey(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase, salt, 32, SCRYPT);
}

function checkOf(key: Buffer): Buffer {
  return createHmac('sha256', key).update('dukkan backup').digest();
}

export function newBackupId(): string {
  return `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}Z-${randomBytes(3).toString('hex')}`;
}

/** Name of a file of a base backup, in the store and as the name that is sealed with its content. */
export function baseName(id: string, file: string): string {
  return `base/${id}/${file}`;
}

/** Complete base backups, the oldest first. */
export async function listBackups(store: BackupStore): Promise<BackupInfo[]> {
  const backups: BackupInfo[] = [];
  for (const { name } of (await store.list('base/')).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [, id = '', file] = name.split('/');
    if (file !== 'backup.json' || !BACKUP_ID.test(id)) continue;
    const info = parseJson<BackupInfo>((await store.find(name)) ?? Buffer.alloc(0));
    if (info !== undefined) backups.push(info);
  }
  return backups;
}

export async function addBackup(store: BackupStore, backup: BackupInfo): Promise<void> {
  await writeWhole(store, baseName(backup.id, 'backup.json'), JSON.stringify(backup, null, 2));
}

/** Segments of one timeline that are complete, in order. */
export async function listSegments(store: BackupStore, timeline: number, segmentBytes: number): Promise<bigint[]> {
  const segments = (await store.list('wal/')).flatMap(({ name }) => {
    const found = parseSegmentName(name.slice('wal/'.length), segmentBytes);
    return found?.timeline === timeline ? [found.segment] : [];
  });
  return segments.sort((a, b) => (a < b ? -1 : 1));
}

/** Deletes base backups beyond the newest `keep`, and the log that only they needed. */
export async function deleteOldBackups(store: BackupStore, keep: number): Promise<string[]> {
  const backups = await listBackups(store);
  const old = backups.slice(0, Math.max(0, backups.length - keep));
  for (const { id } of old) {
    await store.remove(baseName(id, 'backup.json'));
    await store.removeAll(baseName(id, ''));
  }
  const oldest = backups[old.length];
  if (old.length > 0 && oldest !== undefined) await deleteWalBefore(store, oldest);
  return old.map(({ id }) => id);
}

async function deleteWalBefore(store: BackupStore, { timeline, start_lsn, wal_segment_bytes }: BackupInfo) {
  const first = parseLsn(start_lsn) / BigInt(wal_segment_bytes);
  const isNeeded = (found: { timeline: number; segment: bigint }) =>
    found.timeline > timeline || (found.timeline === timeline && found.segment >= first);
  for (const { name } of await store.list('wal/', { withUnfinished: true })) {
    const found = parseSegmentName(name.slice('wal/'.length).slice(0, 24), wal_segment_bytes);
    if (found !== undefined && !isNeeded(found)) await store.remove(name);
  }
}

/** Base backups without `backup.json`, of processes that were stopped. Call with the store locked. */
export async function removeIncomplete(store: BackupStore): Promise<void> {
  const names = (await store.list('base/', { withUnfinished: true })).map(({ name }) => name);
  const complete = new Set(names.filter((name) => name.endsWith('/backup.json')).map((name) => name.split('/')[1]));
  const ids = new Set(names.flatMap((name) => name.split('/').slice(1, -1)));
  for (const id of ids) {
    const isComplete = complete.has(id) && BACKUP_ID.test(id);
    const [, year = '1970', month = '01', day = '01', hour = '00', minute = '00', second = '00'] =
      BACKUP_ID.exec(id) ?? [];
    const ageMs = Date.now() - Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (!isComplete && ageMs >= store.staleAfterMs) await store.removeAll(baseName(id, ''));
  }
}

function parseJson<Value>(content: Buffer): Value | undefined {
  try {
    return JSON.parse(content.toString('utf8')) as Value;
  } catch {
    return undefined;
  }
}
