import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileKey, parseFileKey, parseKeyFor } from './file-key.ts';
import {
  destroyContent,
  type FileStore,
  FileStoreError,
  readChunks,
  removeEach,
  type StoredFile,
} from './file-store.ts';

const INCOMING = '.incoming';
// Each write updates the modification time, so after an hour without one the writer is dead.
const STALE_INCOMING_MS = 60 * 60 * 1000;

export type LocalFileStore = FileStore & {
  /** The keys of all files. */
  list(): AsyncIterable<string>;
};

/**
 * Files lie at `<folder>/<owner>/<uuid>.<extension>`. The content type is read from the extension, which the service
 * itself chose after looking at the bytes. A sidecar file was rejected: it makes two files that must appear and vanish
 * together, which no rename can do.
 */
export async function openLocalFileStore(settings: { folder: string }): Promise<LocalFileStore> {
  const root = path.resolve(settings.folder);
  const incomingFolder = path.join(root, INCOMING);
  await onDisk(`The file folder ${root} cannot be used`, async () => {
    await mkdir(incomingFolder, { recursive: true, mode: 0o700 });
    await removeStaleIncoming(incomingFolder);
  });

  const remove = async (key: string): Promise<void> => {
    parseFileKey(key);
    await onDisk(`${key} could not be removed`, () => unlink(path.join(root, key)).catch(unlessMissing));
  };

  return {
    async put(key, content, meta) {
      const incoming = path.join(incomingFolder, randomUUID());
      try {
        const { ownerId } = parseKeyFor(key, meta.contentType);
        const sizeBytes = await writeIncoming(incoming, key, readChunks(content), meta.sizeBytes);
        await onDisk(`${key} could not be stored`, () => moveIntoPlace(incoming, root, ownerId, key));
        return { sizeBytes };
      } catch (error) {
        destroyContent(content);
        await rm(incoming, { force: true });
        throw error;
      }
    },

    async open(key) {
      const { contentType } = parseFileKey(key);
      return onDisk(`${key} could not be read`, async () => {
        const handle = await open(path.join(root, key), 'r').catch(unlessMissing);
        return handle === undefined ? undefined : describe(handle, contentType);
      });
    },

    remove,
    removeMany: (keys) => removeEach(remove, keys),

    async *list() {
      for (const ownerId of await readdir(root)) {
        // An owner's folder may hold foreign files; a file may stand beside the folders.
        const names = ownerId === INCOMING ? [] : await readdir(path.join(root, ownerId)).catch(unlessFolder);
        for (const name of names) if (isFileKey(`${ownerId}/${name}`)) yield `${ownerId}/${name}`;
      }
    },

    // Only a write detects a full or read-only disk. No fsync, since health checks are frequent.
    async check() {
      const probe = path.join(incomingFolder, randomUUID());
      await onDisk(`The file folder ${root} cannot be written`, async () => {
        try {
          await writeFile(probe, 'probe', { flag: 'wx', mode: 0o600 });
        } finally {
          await rm(probe, { force: true });
        }
      });
    },

    async close() {},
  };
}

async function writeIncoming(
  incoming: string,
  key: string,
  chunks: AsyncIterable<Buffer>,
  announcedBytes: number | undefined,
): Promise<number> {
  const doing = `${key} could not be written`;
  const handle = await onDisk(doing, () => open(incoming, 'wx', 0o600));
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (announcedBytes !== undefined && sizeBytes > announcedBytes) throw wrongSize(key, announcedBytes);
      await onDisk(doing, () => handle.writeFile(chunk));
    }
    if (announcedBytes !== undefined && sizeBytes !== announcedBytes) throw wrongSize(key, announcedBytes);
    await onDisk(doing, () => handle.sync());
  } finally {
    await handle.close();
  }
  return sizeBytes;
}

/** Never creates the root: a missing root (an unmounted disk) must fail instead of starting empty. */
async function moveIntoPlace(incoming: string, root: string, ownerId: string, key: string): Promise<void> {
  const ownerFolder = path.join(root, ownerId);
  const isNew = await mkdir(ownerFolder, { mode: 0o700 }).then(
    () => true,
    (error) => {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    },
  );
  await rename(incoming, path.join(root, key));
  await syncFolder(ownerFolder);
  if (isNew) await syncFolder(root);
}

/** A rename survives a power failure only after its folder is synced. Windows has no such call for folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function describe(handle: FileHandle, contentType: string): Promise<StoredFile> {
  try {
    const facts = await handle.stat({ bigint: true });
    if (!facts.isFile()) throw new Error('not a regular file');
    return {
      stream: handle.createReadStream(),
      contentType,
      sizeBytes: Number(facts.size),
      // Includes the inode: a replacement of the same size may have the same modification time.
      etag: `"${facts.size.toString(16)}-${facts.mtimeNs.toString(16)}-${facts.ino.toString(16)}"`,
      lastModified: facts.mtime,
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Removes incomplete files of killed processes. Uses system time, as the file system does. */
async function removeStaleIncoming(incomingFolder: string): Promise<void> {
  const oldestMs = Date.now() - STALE_INCOMING_MS;
  for (const name of await readdir(incomingFolder)) {
    const file = path.join(incomingFolder, name);
    const facts = await stat(file).catch(unlessMissing);
    if (facts !== undefined && facts.mtimeMs < oldestMs) await rm(file, { force: true });
  }
}

async function onDisk<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new FileStoreError('unavailable', `${failure}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function wrongSize(key: string, announcedBytes: number): FileStoreError {
  return new FileStoreError('bad_size', `${key} was announced with ${announcedBytes} bytes and has another length`);
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}

function unlessFolder(error: unknown): string[] {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
  throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
