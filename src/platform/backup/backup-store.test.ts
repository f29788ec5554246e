import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type S3TestServer, startS3TestServer } from '../files/testing/s3-server.ts';
import { type BackupStore, readAll, writeWhole } from './backup-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openBackupStore } from './open-store.ts';
import { removeIncomplete } from './repository.ts';
import { openS3Store } from './s3-store.ts';

let server: S3TestServer;
let folder: string;
let stores: BackupStore[];

beforeAll(async () => {
  server = await startS3TestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-store-'));
  server.objects.clear();
  server.uploads.clear();
  server.log.length = 0;
  stores = [];
});
afterEach(async () => {
  server.onRequest = undefined;
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

function openS3(changes: { secretAccessKey?: string; timeoutMs?: number } = {}): BackupStore {
  const store = openS3Store({ ...server.settings, retryDelayMs: 1, ...changes }, 'shop/backups');
  stores.push(store);
  return store;
}

const names = async (store: BackupStore, prefix: string, withUnfinished = false) =>
  (await store.list(prefix, { withUnfinished })).map(({ name }) => name).sort();

async function write(store: BackupStore, name: string, content: Buffer, growing = false): Promise<void> {
  const writer = await store.write(name, { growing });
  try {
    for (let at = 0; at < content.length; at += 1_048_576) await writer.write(content.subarray(at, at + 1_048_576));
    await writer.finish();
  } finally {
    await writer.close();
  }
}

describe.each([
  ['a folder', () => openFolderStore(folder)],
  ['S3', () => openS3()],
])('backups in %s', (_where, open) => {
  it('reads a file of several parts as it was written, under its name only when it is complete', async () => {
    const store = open();
    const content = randomBytes(20 * 1024 * 1024);
    const writer = await store.write('base/one/base.tar');
    await writer.write(content.subarray(0, 17 * 1024 * 1024));
    expect(await names(store, 'base/')).toEqual([]);
    await writer.write(content.subarray(17 * 1024 * 1024));
    await writer.finish();
    await writer.close();
    expect(await names(store, 'base/')).toEqual(['base/one/base.tar']);
    expect((await readAll(store.read('base/one/base.tar'))).equals(content)).toBe(true);
  });

  it('leaves nothing of a file that was not finished, except what was flushed of a growing one', async () => {
    const store = open();
    const writer = await store.write('base/one/base.tar');
    await writer.write(randomBytes(9 * 1024 * 1024));
    await writer.close();
    const growing = await store.write('wal/0001', { growing: true });
    await growing.write(Buffer.from('first '));
    await growing.flush();
    await growing.write(Buffer.from('second '));
    await growing.flush();
    await growing.close();
    expect(await names(store, 'base/', true)).toEqual([]);
    expect(await names(store, 'wal/')).toEqual([]);
    const [unfinished, ...others] = await store.listUnfinished('wal/0001');
    expect(others).toEqual([]);
    expect(String(unfinished && (await readAll(unfinished.read())))).toBe('first second ');
    expect(await store.listUnfinished('wal/000')).toEqual([]);

    await write(store, 'wal/0001', Buffer.from('complete'), true);
    expect(await store.listUnfinished('wal/0001')).toEqual([]);
    expect(await names(store, 'wal/', true)).toEqual(['wal/0001']);
  });

  it('lists every file under a prefix, finds small ones, and removes', async () => {
    const store = open();
    const expected = Array.from({ length: 130 }, (_, nth) => `wal/${String(nth).padStart(4, '0')}`);
    for (const name of expected) await writeWhole(store, name, name);
    await writeWhole(store, 'base/one/backup.json', '{}');
    expect(await names(store, 'wal/')).toEqual(expected);
    expect(String(await store.find('wal/0007'))).toBe('wal/0007');
    expect(await store.find('wal/9999')).toBeUndefined();
    await store.remove('wal/0007');
    await store.remove('wal/0007');
    await store.removeAll('base/one/');
    expect((await names(store, 'wal/')).length).toBe(129);
    expect(await names(store, 'base/')).toEqual([]);
    await expect(store.create()).rejects.toThrow(/is not empty and has no backups/);
  });

  it('removes base backups without backup.json that a killed process left', async () => {
    const store = open();
    await writeWhole(store, 'base/20260101000000Z-aaaaaa/base.tar', 'x');
    await writeWhole(store, 'base/20260102000000Z-bbbbbb/base.tar', 'x');
    await writeWhole(store, 'base/20260102000000Z-bbbbbb/backup.json', '{}');
    const killed = await store.write('base/20260103000000Z-cccccc/base.tar');
    await killed.write(randomBytes(9 * 1024 * 1024));
    await removeIncomplete(store);
    expect(await names(store, 'base/', true)).toEqual([
      'base/20260102000000Z-bbbbbb/backup.json',
      'base/20260102000000Z-bbbbbb/base.tar',
    ]);
    await killed.close();
  });
});

describe('S3 that fails', () => {
  /** Two parts of an upload. */
  const CONTENT = randomBytes(9 * 1024 * 1024);

  /** Each request fails once before it succeeds. */
  function failFirst(kind: 'reset' | 'lost-answer' | 'truncate' | 500 | 503, isMeant: (line: string) => boolean): void {
    const failed = new Set<string>();
    server.onRequest = (line) => {
      if (failed.has(line) || !isMeant(line)) return undefined;
      failed.add(line);
      return typeof kind === 'number' ? { kind: 'status', status: kind, code: 'SlowDown' } : { kind };
    };
  }

  it.each([
    ['answers 500', 500],
    ['answers 503', 503],
    ['cuts the connection', 'reset'],
    ['does the work and cuts the connection', 'lost-answer'],
  ] as const)('is asked again when it first %s', async (_how, kind) => {
    const store = openS3();
    failFirst(kind, () => true);
    await write(store, 'base/one/base.tar', CONTENT);
    expect((await readAll(store.read('base/one/base.tar'))).equals(CONTENT)).toBe(true);
    expect(await names(store, 'base/')).toEqual(['base/one/base.tar']);
  });

  it('continues a download at the byte where the connection was cut', async () => {
    const store = openS3();
    await write(store, 'base/one/base.tar', CONTENT);
    let cuts = 0;
    server.onRequest = (line) => (line.startsWith('GET') && ++cuts <= 3 ? { kind: 'truncate' } : undefined);
    expect((await readAll(store.read('base/one/base.tar'))).equals(CONTENT)).toBe(true);
    expect(cuts).toBe(4);
  });

  it('refuses to continue a download of an object that was replaced', async () => {
    const store = openS3();
    await write(store, 'base/one/base.tar', CONTENT);
    server.faults.push({ kind: 'truncate' });
    const reading = store.read('base/one/base.tar')[Symbol.asyncIterator]();
    await reading.next();
    await write(store, 'base/one/base.tar', randomBytes(9 * 1024 * 1024));
    const rest = async () => {
      while (!(await reading.next()).done);
    };
    await expect(rest()).rejects.toThrow(/412 PreconditionFailed/);
  });

  it('is an error after six attempts, and leaves no object and no upload', async () => {
    const store = openS3();
    server.onRequest = (line) => (line.includes('partNumber=2') ? { kind: 'status', status: 503 } : undefined);
    await expect(write(store, 'base/one/base.tar', CONTENT)).rejects.toThrow(/s3:\/\/dukkan-test\/shop.* answered 503/);
    expect(server.log.filter((line) => line.includes('partNumber=2')).length).toBe(6);
    expect([...server.objects.keys()]).toEqual([]);
    expect(server.uploads.size).toBe(0);
  });

  it('is not asked again with wrong credentials, and the message has no secret', async () => {
    const store = openS3({ secretAccessKey: 'a wrong secret' });
    const failure = await write(store, 'base/one/base.tar', CONTENT).catch(String);
    expect(failure).toMatch(/answered 403 SignatureDoesNotMatch/);
    expect(failure).not.toContain('a wrong secret');
    expect(server.log.length).toBe(1);
  });

  it('is left when an answer never begins or never ends', async () => {
    server.onRequest = () => ({ kind: 'hang' });
    await expect(names(openS3({ timeoutMs: 100 }), 'base/')).rejects.toThrow(/no answer within 100 ms/);
    const store = openS3();
    server.onRequest = () => ({ kind: 'endless' });
    await expect(names(store, 'base/')).rejects.toThrow(/an answer that is too long/);
    server.onRequest = () => ({ kind: 'endless-error' });
    await expect(names(store, 'base/')).rejects.toThrow(/answered 400/);
    server.onRequest = undefined;
    await writeWhole(store, 'base/one/manifest', 'four');
    server.faults.push({ kind: 'stall' });
    expect(String(await readAll(openS3({ timeoutMs: 500 }).read('base/one/manifest')))).toBe('four');
  });

  it('is not taken for a success when the completion answers 200 with an error', async () => {
    const store = openS3();
    server.onRequest = (line) =>
      /^POST .*uploadId=/.test(line)
        ? { kind: 'status', status: 200, body: '<Error><Code>InternalError</Code></Error>' }
        : undefined;
    await expect(write(store, 'base/one/base.tar', CONTENT)).rejects.toThrow(/did not complete .*InternalError/);
  });
});

describe('targets', () => {
  it.each(['s3://', 's3://Bucket', 's3://bucket/a b', 's3://bucket/../other', 's3://bucket//x', 's3://b/x?y'])(
    'refuses %s',
    (target) => {
      expect(() => openBackupStore(target, server.settings)).toThrow(/is not s3:\/\/bucket\/prefix/);
    },
  );

  it('names the settings that S3 needs', () => {
    expect(() => openBackupStore('s3://bucket/prefix', undefined)).toThrow(/needs BACKUP_S3_ENDPOINT/);
  });

  it('refuses a folder with other files', async () => {
    await writeFile(path.join(folder, 'letter.txt'), 'x');
    await expect(openFolderStore(folder).create()).rejects.toThrow(/is not empty/);
  });
});
