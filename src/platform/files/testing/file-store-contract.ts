import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newFileKey } from '../file-key.ts';
import type { FileStore } from '../file-store.ts';

export type StoreUnderTest = {
  store: FileStore;
  /** Everything the store holds, half-written files included, by looking past the interface. */
  listEverything(): Promise<string[]>;
};

const PNG = { contentType: 'image/png' };

/** What every driver promises. `getSubject` answers with a store that holds nothing. */
export function describeFileStore(getSubject: () => StoreUnderTest): void {
  const owner = randomUUID();
  const newKey = () => newFileKey(owner, 'png');
  const read = async (store: FileStore, key: string) => {
    const file = await store.open(key);
    return file === undefined ? undefined : buffer(file.stream);
  };

  describe('keeping and reading', () => {
    it.each([
      ['a buffer', (content: Buffer) => content],
      ['a stream in odd pieces', (content: Buffer) => Readable.from(inPieces(content, 7919), { objectMode: false })],
    ])('returns the very bytes that were put as %s', async (_name, wrap) => {
      const { store } = getSubject();
      const content = randomBytes(300_001);
      const key = newKey();
      const before = Date.now();
      expect(await store.put(key, wrap(content), PNG)).toEqual({ sizeBytes: content.length });

      const file = await store.open(key);
      expect(file).toMatchObject({ contentType: 'image/png', sizeBytes: content.length });
      expect(file?.etag).toMatch(/^"[^"]+"$/);
      // HTTP dates carry whole seconds.
      expect(file?.lastModified.getTime()).toBeGreaterThanOrEqual(before - 1000);
      expect(file?.lastModified.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
      expect(await buffer(file?.stream ?? Readable.from([]))).toEqual(content);
    });

    it.each([
      ['jpg', 'image/jpeg'],
      ['png', 'image/png'],
      ['webp', 'image/webp'],
      ['gif', 'image/gif'],
      ['pdf', 'application/pdf'],
    ] as const)('keeps the type of a %s', async (extension, contentType) => {
      const { store } = getSubject();
      const key = newFileKey(owner, extension);
      await store.put(key, Buffer.from('x'), { contentType });
      const file = await store.open(key);
      file?.stream.destroy();
      expect(file?.contentType).toBe(contentType);
    });

    it('keeps an empty file and one of exactly 10 MB', async () => {
      const { store } = getSubject();
      for (const content of [Buffer.alloc(0), randomBytes(10 * 1024 * 1024)]) {
        const key = newKey();
        expect(await store.put(key, content, { ...PNG, sizeBytes: content.length })).toEqual({
          sizeBytes: content.length,
        });
        expect((await read(store, key))?.equals(content)).toBe(true);
      }
    });

    it('answers undefined for a file that is not there', async () => {
      expect(await getSubject().store.open(newKey())).toBeUndefined();
    });

    it('changes the etag when the content of a key is replaced', async () => {
      const { store } = getSubject();
      const key = newKey();
      const etags = new Set<string | undefined>();
      for (const content of ['one', 'two', 'six']) {
        await store.put(key, Buffer.from(content), PNG);
        const file = await store.open(key);
        file?.stream.destroy();
        etags.add(file?.etag);
      }
      expect(etags.size).toBe(3);
    });

    it('lets a reader that walks away come back', async () => {
      const { store } = getSubject();
      const key = newKey();
      const content = randomBytes(2_000_000);
      await store.put(key, content, PNG);
      for (let nth = 0; nth < 20; nth++) (await store.open(key))?.stream.destroy();
      expect((await read(store, key))?.equals(content)).toBe(true);
    });
  });

  describe('removing', () => {
    it('removes a file, and removing again is no error', async () => {
      const { store, listEverything } = getSubject();
      const key = newKey();
      await store.put(key, Buffer.from('x'), PNG);
      await store.remove(key);
      expect(await store.open(key)).toBeUndefined();
      await store.remove(key);
      expect(await listEverything()).toEqual([]);
    });

    it('removes many, present or not, and leaves the others', async () => {
      const { store, listEverything } = getSubject();
      const keys = Array.from({ length: 30 }, newKey);
      const kept = newKey();
      for (const key of [...keys.slice(0, 20), kept]) await store.put(key, Buffer.from('x'), PNG);
      await store.removeMany(keys);
      await store.removeMany([]);
      expect(await listEverything()).toEqual([kept]);
    });

    it('removes the good keys of a list with a bad one, and says so', async () => {
      const { store, listEverything } = getSubject();
      const keys = Array.from({ length: 12 }, newKey);
      for (const key of keys) await store.put(key, Buffer.from('x'), PNG);
      await expect(store.removeMany([...keys.slice(0, 6), '../x', ...keys.slice(6)])).rejects.toMatchObject({
        reason: 'bad_key',
      });
      expect(await listEverything()).toEqual([]);
    });
  });

  describe('a put that fails leaves nothing', () => {
    it('when the source breaks half-way, with the error of the source', async () => {
      const { store, listEverything } = getSubject();
      const broken = new Error('client went away');
      const source = Readable.from(
        (async function* () {
          yield randomBytes(200_000);
          throw broken;
        })(),
        { objectMode: false },
      );
      await expect(store.put(newKey(), source, PNG)).rejects.toBe(broken);
      expect(await listEverything()).toEqual([]);
    });

    it('when the source is closed without an end', async () => {
      const { store, listEverything } = getSubject();
      const source = new Readable({ read() {} });
      source.push(randomBytes(100_000));
      source.once('data', () => source.destroy());
      await expect(store.put(newKey(), source, PNG)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
      expect(await listEverything()).toEqual([]);
    });

    it('when the source was already broken, or breaks in the same moment', async () => {
      const { store, listEverything } = getSubject();
      const broken = new Error('gone before');
      const early = new Readable({ read() {} }).on('error', () => {});
      early.destroy(broken);
      await expect(store.put(newKey(), early, PNG)).rejects.toBe(broken);

      const unwatched = new Readable({ read() {} });
      const putting = store.put(newKey(), unwatched, PNG);
      unwatched.destroy(broken);
      await expect(putting).rejects.toBe(broken);
      expect(await listEverything()).toEqual([]);
    });

    it.each([
      ['shorter', 999],
      ['longer', 1001],
    ])('when the body is %s than announced', async (_name, actualBytes) => {
      const { store, listEverything } = getSubject();
      for (const content of [randomBytes(actualBytes), Readable.from([randomBytes(actualBytes)])]) {
        await expect(store.put(newKey(), content, { ...PNG, sizeBytes: 1000 })).rejects.toMatchObject({
          name: 'FileStoreError',
          reason: 'bad_size',
        });
      }
      expect(await listEverything()).toEqual([]);
    });

    it('and keeps what was there before', async () => {
      const { store } = getSubject();
      const key = newKey();
      await store.put(key, Buffer.from('before'), PNG);
      const source = new Readable({ read() {} });
      source.push('after, in part');
      const putting = store.put(key, source, PNG);
      source.destroy(new Error('cut'));
      await expect(putting).rejects.toThrow('cut');
      expect((await read(store, key))?.toString()).toBe('before');
    });

    it('and lets go of the source', async () => {
      const { store } = getSubject();
      const source = new Readable({ read() {} });
      await expect(store.put('../x.png', source, PNG)).rejects.toMatchObject({ reason: 'bad_key' });
      expect(source.destroyed).toBe(true);
    });
  });

  describe('keys', () => {
    const uuid = randomUUID();
    const badKeys = [
      '',
      '/',
      '.',
      '..',
      '../x.png',
      `../${uuid}/${uuid}.png`,
      `${uuid}/../${uuid}.png`,
      `${uuid}/../../etc/passwd`,
      `${uuid}/..%2f${uuid}.png`,
      `%2e%2e/${uuid}.png`,
      `/${uuid}/${uuid}.png`,
      `//${uuid}/${uuid}.png`,
      `${uuid}//${uuid}.png`,
      `./${uuid}/${uuid}.png`,
      `${uuid}\\${uuid}.png`,
      `..\\${uuid}\\${uuid}.png`,
      `C:\\${uuid}\\${uuid}.png`,
      `${uuid}/${uuid}.png/`,
      `${uuid}/${uuid}.png/x.png`,
      `${uuid}/${uuid}.png\0`,
      `${uuid}/${uuid}.png\0.png`,
      `${uuid}/${uuid}.png\n`,
      `${uuid}/${uuid}.png?versionId=1`,
      `${uuid}/${uuid}.png#x`,
      `${uuid}/${uuid}.png `,
      ` ${uuid}/${uuid}.png`,
      `${uuid}/${uuid}.html`,
      `${uuid}/${uuid}.html`,
      `${uuid}/${uuid}.PNG`,
      `${uuid}/${uuid}.jpeg`,
      `${uuid}/${uuid}`,
      `${uuid}/.png`,
      `${uuid}.png`,
      `.incoming/${uuid}.png`,
      `.incoming/${uuid}`,
      `${uuid.toUpperCase()}/${uuid}.png`,
      `${uuid}/${uuid}.constructor`,
      `${uuid}/${'a'.repeat(5000)}.png`,
      `${uuid}/${uuid}․png`,
      `${uuid}／${uuid}.png`,
    ];

    it.each(badKeys.map((key) => [JSON.stringify(key.slice(0, 90)), key]))('refuses %s', async (_shown, key) => {
      const { store, listEverything } = getSubject();
      const refused = { name: 'FileStoreError', reason: 'bad_key' };
      await expect(store.put(key, Buffer.from('x'), PNG)).rejects.toMatchObject(refused);
      await expect(store.open(key)).rejects.toMatchObject(refused);
      await expect(store.remove(key)).rejects.toMatchObject(refused);
      expect(await listEverything()).toEqual([]);
    });

    it('refuses a type that the key does not say', async () => {
      const { store, listEverything } = getSubject();
      for (const contentType of ['text/html', 'image/jpeg', '', 'image/png; charset=utf-8']) {
        await expect(store.put(newKey(), Buffer.from('x'), { contentType })).rejects.toMatchObject({
          reason: 'bad_key',
        });
      }
      expect(await listEverything()).toEqual([]);
    });
  });

  describe('under concurrency', () => {
    it('keeps 60 files of one new owner apart', async () => {
      const { store, listEverything } = getSubject();
      const files = Array.from({ length: 60 }, () => ({ key: newKey(), content: randomBytes(20_000) }));
      await Promise.all(files.map(({ key, content }) => store.put(key, Readable.from([content]), PNG)));
      const read = await Promise.all(
        files.map(async ({ key }) => buffer((await store.open(key))?.stream ?? Readable.from([]))),
      );
      expect(files.filter(({ content }, nth) => !read[nth]?.equals(content))).toEqual([]);
      expect((await listEverything()).length).toBe(60);
    });

    it('never shows a mixture while one key is put, read and removed by many', async () => {
      const { store, listEverything } = getSubject();
      const key = newKey();
      const contentOf = (nth: number) => Buffer.alloc(150_000, nth);
      await store.put(key, contentOf(255), PNG);
      const seen = { whole: 0, torn: 0 };
      await Promise.all([
        ...Array.from({ length: 20 }, (_, nth) => store.put(key, Readable.from(inPieces(contentOf(nth), 9973)), PNG)),
        ...Array.from({ length: 40 }, async () => {
          const content = await read(store, key);
          if (content === undefined) return;
          const isWhole = content.length === 150_000 && content.every((byte) => byte === content[0]);
          seen[isWhole ? 'whole' : 'torn']++;
        }),
        ...Array.from({ length: 3 }, () => store.remove(key)),
      ]);
      expect(seen.torn).toBe(0);
      await store.put(key, contentOf(7), PNG);
      expect((await read(store, key))?.equals(contentOf(7))).toBe(true);
      expect(await listEverything()).toEqual([key]);
    });

    it.each(['replaced', 'removed'])(
      'lets a reader finish what it began when the file is %s under it',
      async (change) => {
        const { store } = getSubject();
        const key = newKey();
        await store.put(key, Buffer.alloc(3_000_000, 1), PNG);
        const file = await store.open(key);
        if (change === 'replaced') await store.put(key, Buffer.alloc(3_000_000, 2), PNG);
        else await store.remove(key);
        const content = await buffer(file?.stream ?? Readable.from([]));
        expect(content.equals(Buffer.alloc(3_000_000, 1))).toBe(true);
      },
    );

    it('cleans up the broken among the good', async () => {
      const { store, listEverything } = getSubject();
      const keys = Array.from({ length: 40 }, newKey);
      const results = await Promise.allSettled(
        keys.map((key, nth) => store.put(key, nth % 2 === 0 ? Readable.from([randomBytes(9000)]) : cutOff(9000), PNG)),
      );
      expect(results.map(({ status }) => status)).toEqual(
        keys.map((_, nth) => (nth % 2 === 0 ? 'fulfilled' : 'rejected')),
      );
      expect((await listEverything()).toSorted()).toEqual(keys.filter((_, nth) => nth % 2 === 0).toSorted());
    });
  });

  it('is healthy, and checking leaves nothing', async () => {
    const { store, listEverything } = getSubject();
    await store.check();
    expect(await listEverything()).toEqual([]);
  });
}

function* inPieces(content: Buffer, pieceBytes: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
}

function cutOff(sizeBytes: number): Readable {
  return Readable.from(
    (async function* () {
      yield randomBytes(sizeBytes);
      throw new Error('cut off');
    })(),
    { objectMode: false },
  );
}
