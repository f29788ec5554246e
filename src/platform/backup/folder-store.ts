import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { lockFolder } from '../postgres/index.ts';
import { BackupError } from './backup-error.ts';
import type { BackupStore, StoredName, StoreWriter } from './backup-store.ts';

const UNFINISHED = /\.[0-9a-f]{8}\.part$/;
const LOCK_FILES = new Set(['dukkan.lock', 'dukkan.pid']);

/** Backups in a folder. An unfinished file is `<name>.<id>.part` beside its later name. */
export function openFolderStore(location: string): BackupStore {
  const fileOf = (name: string) => path.join(location, name);

  return {
    location,
    flushEveryMs: 1_000,
    staleAfterMs: 0,
    async create() {
      await mkdir(location, { recursive: true, mode: 0o700 });
      const others = (await readdir(location)).filter((name) => !name.startsWith('.'));
      if (others.length > 0)
        throw new BackupError(`${location} is not empty and has no backups of Dukkan: choose another folder`);
    },
    async lock(prefix) {
      await mkdir(fileOf(prefix), { recursive: true, mode: 0o700 });
      return lockFolder(fileOf(prefix));
    },
    async list(prefix, { withUnfinished = false } = {}) {
      const entries = await readdir(fileOf(prefix), { recursive: true, withFileTypes: true }).catch(unlessMissing);
      const found: StoredName[] = [];
      for (const entry of entries ?? []) {
        if (!entry.isFile() || LOCK_FILES.has(entry.name)) continue;
        if (!withUnfinished && UNFINISHED.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const facts = await stat(file).catch(unlessMissing);
        const name = path.relative(location, file).split(path.sep).join('/');
        if (facts !== undefined) found.push({ name, storedAt: facts.mtime });
      }
      return found;
    },
    find: (name) => readFile(fileOf(name)).catch(unlessMissing),
    read: (name) => createReadStream(fileOf(name)),
    async write(name, { growing = false } = {}) {
      await mkdir(path.dirname(fileOf(name)), { recursive: true, mode: 0o700 });
      return openWriter(fileOf(name), growing);
    },
    async listUnfinished(name) {
      const file = fileOf(name);
      const found = await listUnfinishedOf(file);
      return found.map((id) => ({ id, read: () => createReadStream(path.join(path.dirname(file), id)) }));
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    removeAll: (prefix) => rm(fileOf(prefix), { recursive: true, force: true }),
    async close() {},
  };
}

async function openWriter(file: string, growing: boolean): Promise<StoreWriter> {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.part`;
  const handle: FileHandle = await open(unfinished, 'wx', 0o600);
  let isOpen = true;
  return {
    async write(data) {
      // `write` may write less than it was given.
      for (let at = 0; at < data.length; ) at += (await handle.write(data, at)).bytesWritten;
    },
    flush: () => handle.datasync(),
    async finish() {
      await handle.sync();
      await handle.close();
      isOpen = false;
      await rename(unfinished, file);
      if (growing) {
        for (const name of await listUnfinishedOf(file)) await rm(path.join(path.dirname(file), name), { force: true });
      }
      await syncFolder(path.dirname(file));
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await handle.close();
      if (!growing) await rm(unfinished, { force: true });
    },
  };
}

async function listUnfinishedOf(file: string): Promise<string[]> {
  const base = path.basename(file);
  const names = (await readdir(path.dirname(file)).catch(unlessMissing)) ?? [];
  return names.filter((name) => name.startsWith(`${base}.`) && UNFINISHED.test(name));
}

/** A new name survives a crash of the machine only when its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
