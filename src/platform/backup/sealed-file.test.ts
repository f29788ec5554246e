import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readAll, type StoreWriter } from './backup-store.ts';
import { sealInto, unseal } from './sealed-file.ts';

const CONTENT = Buffer.concat([randomBytes(1_500_000), Buffer.alloc(900_000, 'a')]);

function memory(): { target: StoreWriter; stored(): Buffer } {
  const parts: Buffer[] = [];
  const done = async () => undefined;
  const write = async (data: Buffer) => void parts.push(data);
  return { target: { write, flush: done, finish: done, close: done }, stored: () => Buffer.concat(parts) };
}

async function seal(name: string, key: Buffer | undefined): Promise<Buffer> {
  const { target, stored } = memory();
  const writer = await sealInto(target, { name, key });
  for (let at = 0; at < CONTENT.length; at += 300_000) await writer.write(CONTENT.subarray(at, at + 300_000));
  await writer.finish();
  return stored();
}

async function* inPieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
}

function read(stored: Buffer, name: string, key: Buffer | undefined, allowCut = false): Promise<Buffer> {
  return readAll(unseal(inPieces(stored), { file: 'it', name, key, allowCut }));
}

describe.each([
  ['encrypted', randomBytes(32)],
  ['plain', undefined],
])('a sealed file, %s', (_how, key) => {
  it('is read as it was written, and smaller than that', async () => {
    const stored = await seal('one', key);
    expect((await read(stored, 'one', key)).equals(CONTENT)).toBe(true);
    expect(stored.length).toBeLessThan(1_600_000);
  });

  it('is refused under another name, when a byte was changed or added, and when it was cut off', async () => {
    const stored = await seal('one', key);
    await expect(read(stored, 'two', key)).rejects.toThrow(/is damaged or cut off/);
    const changed = Buffer.from(stored);
    changed.writeUInt8(changed.readUInt8(700_000) ^ 1, 700_000);
    await expect(read(changed, 'one', key)).rejects.toThrow(/is damaged or cut off/);
    await expect(read(Buffer.concat([stored, Buffer.alloc(1)]), 'one', key)).rejects.toThrow(/is damaged or cut off/);
    await expect(read(stored.subarray(0, -1), 'one', key)).rejects.toThrow(/is damaged or cut off/);
  });

  it('is read up to its last whole frame when it is allowed to be unfinished', async () => {
    const { target, stored } = memory();
    const writer = await sealInto(target, { name: 'log', key });
    await writer.write(Buffer.from('first '));
    await writer.flush();
    await writer.write(Buffer.from('second'));
    expect((await read(stored(), 'log', key, true)).toString()).toBe('first ');
    await writer.flush();
    expect((await read(stored(), 'log', key, true)).toString()).toBe('first second');
    expect((await read(stored().subarray(0, -1), 'log', key, true)).toString()).toBe('first ');
  });
});
