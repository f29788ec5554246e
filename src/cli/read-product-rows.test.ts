import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkedUtf8 } from './check-utf8.ts';
import { readProductRows } from './read-product-rows.ts';
import { showProgress } from './show-progress.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-rows-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('UTF-8', () => {
  /** In pieces of every size, so that a character is cut at each of its bytes. */
  async function faultOf(bytes: Buffer, pieceBytes: number): Promise<string | undefined> {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    }
    const taken: Buffer[] = [];
    try {
      for await (const piece of checkedUtf8(pieces())) taken.push(piece);
    } catch (error) {
      return (error as Error).message;
    }
    expect(Buffer.concat(taken)).toEqual(bytes);
    return undefined;
  }
  const sound = Buffer.from('\uFEFFa,ب\r\nحليب,€,🥛\n');

  it.each([
    ['an Arabic code page', [0xcd, 0xe1], '0xcd', 0],
    ['a character that is cut off', [0xf0, 0x9f, 0xa5], '0xf0', 0],
    ['a lone rest of one', [0x41, 0x82], '0x82', 1],
    ['a surrogate', [0xed, 0xa0, 0x80], '0xed', 0],
    ['an overlong slash', [0xc0, 0xaf], '0xc0', 0],
    ['UTF-16', [0xff, 0xfe, 0x69, 0x00], '0xff', 0],
  ])('%s is refused by its line and byte', async (_what, wrong, byte, at) => {
    for (let pieceBytes = 1; pieceBytes <= 8; pieceBytes += 1) {
      expect(await faultOf(Buffer.concat([sound, Buffer.from(wrong)]), pieceBytes)).toContain(
        `line 3 has the byte ${byte} (byte ${sound.length + at + 1} of the file)`,
      );
      expect(await faultOf(Buffer.concat([sound, Buffer.from(wrong), Buffer.from('\nx')]), pieceBytes)).toContain(
        `line 3 has the byte ${byte} (byte ${sound.length + at + 1} of the file)`,
      );
      expect(await faultOf(sound, pieceBytes)).toBeUndefined();
    }
  });
});

describe('reading', () => {
  it('goes no further than the rows that were taken, however long the file', async () => {
    const file = path.join(folder, 'long.csv');
    await writeFile(file, `iv_id,name_en\n${`P,${'a long name '.repeat(20)}\n`.repeat(80_000)}`);
    const { rows, bytesRead } = readProductRows(file, () => undefined);
    const iterator = rows[Symbol.asyncIterator]();
    let taken = 0;
    for (let stops = 0; stops < 5; stops += 1) {
      for (let count = 0; count < 1_000; count += 1) {
        if (!(await iterator.next()).done) taken += 1;
      }
      await untilSteady(bytesRead);
      expect(bytesRead()).toBeLessThan(taken * 250 + 1024 * 1024);
    }
    expect(taken).toBe(5_000);
    await iterator.return?.();
  });

  async function untilSteady(read: () => number): Promise<void> {
    for (let quietTurns = 0, last = -1; quietTurns < 100; quietTurns += 1) {
      if (read() !== last) quietTurns = 0;
      last = read();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

describe('progress', () => {
  const shown = (isTTY: boolean, columns = 80) => {
    let text = '';
    const display = showProgress({ isTTY, columns, write: (more: string) => (text += more) });
    for (let line = 1_000; line <= 30_000; line += 1_000) {
      display.show({ line, succeeded: line - 1, failed: 1, fraction: line / 30_000 });
    }
    display.end();
    return text;
  };

  it('is a bar that draws over itself on a terminal', () => {
    const frames = shown(true).split('\r\u001b[2K').slice(1);
    expect(frames).toHaveLength(30);
    expect(frames[14]).toBe(`${'█'.repeat(12)}${'░'.repeat(12)}  50 %  line 15000: 14999 saved, 1 failed`);
    expect(frames.at(-1)).toBe(`${'█'.repeat(24)} 100 %  line 30000: 29999 saved, 1 failed\n`);
  });

  it('never wraps on a narrow terminal', () => {
    for (const frame of shown(true, 40).split('\r\u001b[2K')) expect(frame.trimEnd().length).toBeLessThan(40);
  });

  it('is a line every ten thousand lines elsewhere', () => {
    expect(shown(false)).toBe(
      ' 33 %  line 10000: 9999 saved, 1 failed\n 66 %  line 20000: 19999 saved, 1 failed\n100 %  line 30000: 29999 saved, 1 failed\n',
    );
  });
});
