import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealedFile, readSealedFile } from './sealed-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-sealed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const CONTENT = Buffer.concat([randomBytes(1_500_000), Buffer.alloc(900_000, 'a')]);

async function write(name: string, key: Buffer | undefined): Promise<string> {
  const file = path.join(folder, randomBytes(4).toString('hex'));
  const writer = await createSealedFile(file, { name, key });
  for (let at = 0; at < CONTENT.length; at += 300_000) await writer.write(CONTENT.subarray(at, at + 300_000));
  await writer.finish();
  return file;
}

async function read(file: string, name: string, key: Buffer | undefined, allowCut = false): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readSealedFile(file, { name, key, allowCut })) parts.push(part);
  return Buffer.concat(parts);
}

describe.each([
  ['encrypted', randomBytes(32)],
  ['plain', undefined],
])('a sealed file, %s', (_how, key) => {
  it('is read as it was written, and smaller than that', async () => {
    const file = await write('one', key);
    expect((await read(file, 'one', key)).equals(CONTENT)).toBe(true);
    expect((await readFile(file)).length).toBeLessThan(1_600_000);
  });

  it('is refused under another name, when a byte was changed, and when it was cut off', async () => {
    const file = await write('one', key);
    await expect(read(file, 'two', key)).rejects.toThrow(/is damaged or cut off/);
    const stored = await readFile(file);
    const changed = Buffer.from(stored);
    changed.writeUInt8(changed.readUInt8(700_000) ^ 1, 700_000);
    await writeFile(file, changed);
    await expect(read(file, 'one', key)).rejects.toThrow(/is damaged or cut off/);
    await writeFile(file, stored);
    await truncate(file, stored.length - 1);
    await expect(read(file, 'one', key)).rejects.toThrow(/is damaged or cut off/);
  });

  it('is read up to its last whole frame when it is allowed to be unfinished', async () => {
    const file = path.join(folder, `unfinished-${key === undefined}`);
    const writer = await createSealedFile(file, { name: 'log', key });
    await writer.write(Buffer.from('first '));
    await writer.flush();
    await writer.write(Buffer.from('second'));
    expect((await read(file, 'log', key, true)).toString()).toBe('first ');
    await writer.flush();
    await writer.close();
    expect((await read(file, 'log', key, true)).toString()).toBe('first second');
  });
});
