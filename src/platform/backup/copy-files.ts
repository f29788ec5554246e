import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { contentTypeOfKey, FileStoreError, isFileKey, type LocalFileStore } from '../files/index.ts';
import { BackupError } from './backup-error.ts';
import { readAll } from './backup-store.ts';
import { type BackupInfo, type BackupRepository, listBackups } from './repository.ts';
import { sealInto, unseal } from './sealed-file.ts';
import { readBackupFile } from './verify-backup.ts';

/** The file of a base backup that names the stored files of that time, a key a line. */
export const FILE_LIST = 'file-list';

const COPIES_AT_ONCE = 8;
const PREFIX = 'files/';
/** An upload is in the repository within this time. */
const COPY_EVERY_MS = 60_000;
/** The time of a copy is the store's. */
const CLOCK_SLACK_MS = 60 * 60 * 1000;

/**
 * Copies images and documents of the local file store that the repository does not have, and reads each back. A file never changes
 * under its key, so one copy serves every base backup. `copied` are the keys that the repository has; it grows. Returns all keys of
 * the file store.
 */
export async function copyFiles(
  repository: BackupRepository,
  files: LocalFileStore,
  copied: Set<string>,
): Promise<Set<string>> {
  const found = new Set<string>();
  const missing: string[] = [];
  for await (const key of files.list()) {
    found.add(key);
    if (!copied.has(key)) missing.push(key);
  }
  await eachOf(missing, async (key) => {
    // A file may be removed after it was listed.
    if (await copyFile(repository, files, key)) copied.add(key);
    else found.delete(key);
  });
  return found;
}

async function copyFile(
  { store, key: secret }: BackupRepository,
  files: LocalFileStore,
  key: string,
): Promise<boolean> {
  const file = await files.open(key);
  if (file === undefined) return false;
  const name = PREFIX + key;
  try {
    const target = await store.write(name);
    const digest = createHash('sha256');
    const writer = await sealInto(target, { name, key: secret });
    try {
      for await (const chunk of file.stream as AsyncIterable<Buffer>) {
        digest.update(chunk);
        await writer.write(chunk);
      }
      await writer.finish();
    } finally {
      await writer.close();
    }
    const stored = createHash('sha256');
    for await (const part of readStored({ store, key: secret }, key)) stored.update(part);
    if (stored.digest('hex') !== digest.digest('hex')) {
      await store.remove(name);
      throw new BackupError(`${store.location}/${name} was not stored as written`);
    }
    return true;
  } finally {
    file.stream.destroy();
  }
}

function readStored({ store, key: secret }: Pick<BackupRepository, 'store' | 'key'>, key: string) {
  const name = PREFIX + key;
  return unseal(store.read(name), { file: `${store.location}/${name}`, name, key: secret });
}

export async function listCopied({ store }: BackupRepository): Promise<Map<string, Date>> {
  const listed = await store.list(PREFIX);
  return new Map(listed.map(({ name, storedAt }) => [name.slice(PREFIX.length), storedAt]));
}

/** Copies new files until the signal aborts. */
export async function followFiles(options: {
  repository: BackupRepository;
  files: LocalFileStore;
  signal: AbortSignal;
  onLost(reason: string): void;
}): Promise<void> {
  const { repository, files, signal, onLost } = options;
  let copied: Set<string> | undefined;
  while (!signal.aborted) {
    try {
      copied ??= new Set((await listCopied(repository)).keys());
      await copyFiles(repository, files, copied);
    } catch (error) {
      if (error instanceof BackupError) throw error;
      onLost(error instanceof Error ? error.message : String(error));
    }
    await pause(COPY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Deletes copies of files that are gone, unless a base backup names them or they were copied since the oldest one began. */
export async function deleteOldFiles(repository: BackupRepository, live: ReadonlySet<string>): Promise<void> {
  const backups = await listBackups(repository.store);
  const oldest = backups[0];
  if (oldest === undefined) return;
  const needed = new Set(live);
  for (const backup of backups) for (const key of await readFileList(repository, backup)) needed.add(key);
  const since = new Date(oldest.started_at);
  const old = [...(await listCopied(repository))].filter(([key, storedAt]) => !needed.has(key) && storedAt < since);
  await eachOf(old, ([key]) => repository.store.remove(PREFIX + key));
}

async function readFileList(repository: BackupRepository, backup: BackupInfo): Promise<string[]> {
  if (!backup.files.some(({ name }) => name === FILE_LIST)) return [];
  const text = String(await readAll(readBackupFile(repository, backup, FILE_LIST)));
  return text.split('\n').filter(isFileKey);
}

/**
 * Puts the files of a base backup, and those copied since, into a file store. Files that the restored database does not refer to do no
 * harm. Goes on when one cannot be read, and returns the keys of these.
 */
export async function restoreFiles(
  repository: BackupRepository,
  backup: BackupInfo,
  files: LocalFileStore,
): Promise<{ restored: number; failed: string[] }> {
  const keys = new Set(await readFileList(repository, backup));
  const since = new Date(Date.parse(backup.started_at) - CLOCK_SLACK_MS);
  for (const [key, storedAt] of await listCopied(repository)) if (storedAt >= since) keys.add(key);
  const failed: string[] = [];
  await eachOf([...keys].filter(isFileKey), async (key) => {
    try {
      await files.put(key, Readable.from(readStored(repository, key)), { contentType: contentTypeOfKey(key) });
    } catch (error) {
      // A full disk ends the restore; a damaged or missing copy does not.
      if (error instanceof FileStoreError) throw error;
      failed.push(key);
    }
  });
  return { restored: keys.size - failed.length, failed };
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items].reverse();
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(COPIES_AT_ONCE, items.length) }, worker));
}
