import { randomBytes } from 'node:crypto';
import type { S3Settings } from '../files/index.ts';
import { BackupError } from './backup-error.ts';
import type { BackupStore, StoredName, Unfinished } from './backup-store.ts';
import { connectBucket } from './s3-bucket.ts';
import { openS3Writer } from './s3-writer.ts';

const UNFINISHED = /^(.*)\.([0-9a-f]{8})\.(\d{6})\.part$/;
const REMOVALS_AT_ONCE = 8;
const TWO_DAYS_MS = 2 * 24 * 60 * 60 * 1000;

/**
 * Backups in a bucket. Objects cannot grow: what is flushed of an unfinished file is a sequence of objects `<name>.<id>.<number>.part`.
 *
 * There is no lock: conditional writes are missing in many compatible stores, and a lock object outlives a process that is killed. Two
 * backups at a time do no harm: each has its own id, the replication slot admits one reader of the log, and what is incomplete is removed
 * only when it is two days old.
 */
export function openS3Store(settings: S3Settings, prefix: string): BackupStore {
  const location = `s3://${settings.bucket}${prefix === '' ? '' : `/${prefix}`}`;
  const bucket = connectBucket(settings, location);
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`);

  const nameOf = (key: string) => (prefix === '' ? key : key.slice(prefix.length + 1));

  async function listAll(begin: string): Promise<StoredName[]> {
    const objects = await bucket.list(keyOf(begin));
    return objects.map(({ key, storedAt }) => ({ name: nameOf(key), storedAt }));
  }
  async function listUnfinished(name: string): Promise<(Unfinished & { names: string[] })[]> {
    const attempts = new Map<string, string[]>();
    for (const { name: found } of await listAll(`${name}.`)) {
      const [, of, id = ''] = UNFINISHED.exec(found) ?? [];
      if (of === name) attempts.set(id, [...(attempts.get(id) ?? []), found]);
    }
    return [...attempts].map(([id, names]) => ({ id, names: names.sort(), read: () => readEach(names.sort()) }));
  }
  async function* readEach(names: readonly string[]): AsyncGenerator<Buffer> {
    for (const name of names) yield* bucket.read(keyOf(name));
  }
  async function removeEach(names: readonly string[]): Promise<void> {
    const waiting = [...names];
    const remove = async () => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await bucket.remove(keyOf(name));
    };
    await Promise.all(Array.from({ length: REMOVALS_AT_ONCE }, remove));
  }

  return {
    location,
    flushEveryMs: 5_000,
    staleAfterMs: TWO_DAYS_MS,
    async create() {
      if (!(await bucket.isEmpty(prefix === '' ? '' : `${prefix}/`)))
        throw new BackupError(`${location} is not empty and has no backups of Dukkan: choose another prefix`);
    },
    lock: async () => ({ release: () => undefined }),
    async list(begin, { withUnfinished = false } = {}) {
      const found = await listAll(begin);
      if (!withUnfinished) return found.filter(({ name }) => !UNFINISHED.test(name));
      const uploads = await bucket.listUploads(keyOf(begin));
      return [...found, ...uploads.map(({ key, storedAt }) => ({ name: nameOf(key), storedAt }))];
    },
    find: (name) => bucket.find(keyOf(name)),
    read: (name) => bucket.read(keyOf(name)),
    async write(name, { growing = false } = {}) {
      const id = randomBytes(4).toString('hex');
      const writer = openS3Writer(bucket, keyOf(name), {
        unfinishedKey: growing ? (nth) => keyOf(`${name}.${id}.${String(nth).padStart(6, '0')}.part`) : undefined,
      });
      if (!growing) return writer;
      return {
        ...writer,
        async finish() {
          await writer.finish();
          await removeEach((await listUnfinished(name)).flatMap(({ names }) => names));
        },
      };
    },
    listUnfinished,
    remove: (name) => bucket.remove(keyOf(name)),
    async removeAll(begin) {
      await removeEach((await listAll(begin)).map(({ name }) => name));
      for (const { key, uploadId } of await bucket.listUploads(keyOf(begin))) await bucket.abortUpload(key, uploadId);
    },
    close: () => bucket.close(),
  };
}
