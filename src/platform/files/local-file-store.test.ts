import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newFileKey } from './file-key.ts';
import type { FileStore } from './file-store.ts';
import { openFileStore } from './index.ts';
import { openLocalFileStore } from './local-file-store.ts';
import { describeFileStore } from './testing/file-store-contract.ts';

const PNG = { contentType: 'image/png' };
const owner = randomUUID();

let base: string;
let folder: string;
let store: FileStore;

beforeEach(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'dukkan files '));
  folder = path.join(base, 'not yet', 'there');
  store = await openFileStore({ driver: 'local', folder });
});

afterEach(() => rm(base, { recursive: true, force: true }));

async function listEverything(): Promise<string[]> {
  const entries = await readdir(base, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

describeFileStore(() => ({ store, listEverything }));

describe('the folder', () => {
  it('keeps files and folders from other accounts', async () => {
    const key = newFileKey(owner, 'png');
    await store.put(key, Buffer.from('x'), PNG);
    const modes = await Promise.all(
      ['.incoming', owner, key].map(async (name) => ((await stat(path.join(folder, name))).mode & 0o777).toString(8)),
    );
    expect(modes).toEqual(['700', '700', '600']);
  });

  it('can be opened twice at the same time, and by a later start', async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => openLocalFileStore({ folder })));
    const keys = stores.map(() => newFileKey(owner, 'png'));
    await Promise.all(stores.map((one, nth) => one.put(keys[nth] ?? '', Buffer.from(`file ${nth}`), PNG)));
    const reopened = await openLocalFileStore({ folder });
    const found = await Promise.all(
      keys.map(async (key) => text((await reopened.open(key))?.stream ?? Readable.from([]))),
    );
    expect(found).toEqual(['file 0', 'file 1', 'file 2', 'file 3', 'file 4']);
  });

  it('is named when it cannot be made', async () => {
    const file = path.join(base, 'a file');
    await writeFile(file, '');
    await expect(openLocalFileStore({ folder: path.join(file, 'under it') })).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining(path.join(file, 'under it')),
    });
  });

  it('that vanished is unhealthy and is not made anew', async () => {
    await rm(folder, { recursive: true });
    await expect(store.check()).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(store.put(newFileKey(owner, 'png'), Buffer.from('x'), PNG)).rejects.toMatchObject({
      reason: 'unavailable',
    });
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('reports a disk error and leaves no half file', async () => {
    await writeFile(path.join(folder, owner), 'in the way of the folder');
    const source = Readable.from([randomBytes(1000)]);
    await expect(store.put(newFileKey(owner, 'png'), source, PNG)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await listEverything()).toEqual([owner]);
  });

  it('does not serve a folder that has the name of a file', async () => {
    const key = newFileKey(owner, 'png');
    await mkdir(path.join(folder, key), { recursive: true });
    await expect(store.open(key)).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(store.remove(key)).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('a writer killed in the middle', () => {
  const moduleUrl = new URL('./local-file-store.ts', import.meta.url).href;

  it('shows no file, and what it left is swept by a later start once it is old', async () => {
    const key = newFileKey(owner, 'png');
    const script = `
      import { Readable } from 'node:stream';
      const { openLocalFileStore } = await import(${JSON.stringify(moduleUrl)});
      const store = await openLocalFileStore({ folder: ${JSON.stringify(folder)} });
      const source = Readable.from((async function* () {
        yield Buffer.alloc(100_000, 1);
        yield Buffer.alloc(100_000, 2);
        process.stdout.write('writing');
        await new Promise((resolve) => setInterval(resolve, 2 ** 30));
      })(), { objectMode: false, highWaterMark: 1 });
      await store.put(${JSON.stringify(key)}, source, { contentType: 'image/png' });
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');

    const left = await listEverything();
    expect(left).toEqual([expect.stringMatching(/^\.incoming\//)]);
    expect(await store.open(key)).toBeUndefined();

    await openLocalFileStore({ folder });
    expect(await listEverything()).toEqual(left);

    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(path.join(folder, left[0] ?? ''), twoHoursAgo, twoHoursAgo);
    await openLocalFileStore({ folder });
    expect(await listEverything()).toEqual([]);
  });
});
