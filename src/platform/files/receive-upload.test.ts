import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFileKey } from './file-key.ts';
import type { FileStore } from './file-store.ts';
import { openLocalFileStore } from './local-file-store.ts';
import { MAX_UPLOAD_BYTES, type ReceivedFile, receiveUpload, UploadError, type UploadRules } from './receive-upload.ts';
import { openS3FileStore } from './s3-file-store.ts';
import { type S3TestServer, startS3TestServer } from './testing/s3-server.ts';

/** Up to where the data of the picture begins. */
const PNG_START = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAQAElEQVQ=', 'base64');
const owner = randomUUID();
const image: UploadRules = { maxBytes: MAX_UPLOAD_BYTES, accept: 'image' };

function pngOf(sizeBytes: number): Buffer {
  return Buffer.concat([PNG_START, randomBytes(sizeBytes - PNG_START.length)]);
}

function inPieces(content: Buffer, pieceBytes: number): Readable {
  const pieces = function* () {
    for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
  };
  return Readable.from(pieces(), { objectMode: false });
}

let base: string;
let folder: string;
let store: FileStore;

beforeEach(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'dukkan-upload-'));
  folder = path.join(base, 'files');
  store = await openLocalFileStore({ folder });
});

afterEach(() => rm(base, { recursive: true, force: true }));

async function listFiles(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

describe('a good file', () => {
  it.each([1, 7, 1000, 65_536])('arrives whole in pieces of %i bytes', async (pieceBytes) => {
    const content = pngOf(pieceBytes === 1 ? 5_000 : 300_000);
    const received = await receiveUpload(store, owner, inPieces(content, pieceBytes), image);
    expect(received).toEqual({
      key: expect.stringMatching(new RegExp(`^${owner}/[0-9a-f-]{36}\\.png$`)),
      contentType: 'image/png',
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(isFileKey(received.key)).toBe(true);
    const file = await store.open(received.key);
    expect((await buffer(file?.stream ?? Readable.from([]))).equals(content)).toBe(true);
  });

  it('may be exactly as large as allowed, and not one byte more', async () => {
    const content = pngOf(MAX_UPLOAD_BYTES);
    expect((await receiveUpload(store, owner, inPieces(content, 65_536), image)).sizeBytes).toBe(10_485_760);
    const before = await listFiles();
    const larger = inPieces(Buffer.concat([content, Buffer.alloc(1)]), 65_536);
    await expect(receiveUpload(store, owner, larger, image)).rejects.toMatchObject({ reason: 'too_large' });
    expect(await listFiles()).toEqual(before);
  });

  it('may be smaller than what is sniffed, with a limit smaller still', async () => {
    const content = pngOf(100);
    const rules = { ...image, maxBytes: 100 };
    expect((await receiveUpload(store, owner, inPieces(content, 10), rules)).sizeBytes).toBe(100);
    await expect(receiveUpload(store, owner, inPieces(pngOf(101), 10), rules)).rejects.toMatchObject({
      reason: 'too_large',
    });
  });

  it('may be a pdf only where documents are accepted', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n');
    const received = await receiveUpload(store, owner, Readable.from([pdf]), { ...image, accept: 'document' });
    expect(received).toMatchObject({ contentType: 'application/pdf', key: expect.stringMatching(/\.pdf$/) });
    const refused = receiveUpload(store, owner, Readable.from([pdf]), image);
    await expect(refused).rejects.toMatchObject({
      reason: 'wrong_type',
      message: 'The file must be jpg, png, webp or gif',
    });
  });

  it('gets a name of its own each time', async () => {
    const content = pngOf(100);
    const received = await Promise.all(
      Array.from({ length: 20 }, () => receiveUpload(store, owner, inPieces(content, 30), image)),
    );
    expect(new Set(received.map(({ key }) => key)).size).toBe(20);
    expect((await listFiles()).length).toBe(20);
  });
});

describe('a refused file', () => {
  it.each([
    ['empty', Buffer.alloc(0), 'empty'],
    ['text', Buffer.from('this is not a picture'), 'wrong_type'],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'wrong_type'],
    ['a cut header', PNG_START.subarray(0, 20), 'wrong_type'],
    ['too large', pngOf(3000), 'too_large'],
  ] as const)('(%s) leaves nothing and is read to its end', async (_name, content, reason) => {
    const source = inPieces(content, 100);
    const ended = once(source, 'end');
    const refused = await receiveUpload(store, owner, source, { ...image, maxBytes: 2999 }).catch((error) => error);
    expect(refused).toBeInstanceOf(UploadError);
    expect(refused).toMatchObject({ reason });
    await ended;
    expect(await listFiles()).toEqual([]);
  });

  it('is refused before its end has come, and the rest still flows away', async () => {
    const source = new PassThrough();
    source.write('<html>'.repeat(1000));
    await expect(receiveUpload(store, owner, source, image)).rejects.toMatchObject({ reason: 'wrong_type' });
    for (let nth = 0; nth < 100; nth++) {
      if (!source.write(Buffer.alloc(65_536))) await once(source, 'drain');
    }
    const ended = once(source, 'end');
    source.end();
    await ended;
  });

  it('is refused when the parser cut it at a limit of its own', async () => {
    const cut = Object.assign(inPieces(pngOf(5000), 500), { truncated: true });
    await expect(receiveUpload(store, owner, cut, image)).rejects.toMatchObject({ reason: 'too_large' });
    expect(await listFiles()).toEqual([]);
  });
});

describe('a client that goes away', () => {
  it.each([
    ['before the first byte', 0],
    ['inside the header', 20],
    ['inside the body', 500_000],
  ])('%s leaves nothing', async (_name, sentBytes) => {
    for (const error of [new Error('connection lost'), undefined]) {
      const source = new PassThrough();
      const receiving = receiveUpload(store, owner, source, image);
      if (sentBytes > 0) source.write(pngOf(500_000).subarray(0, sentBytes));
      setImmediate(() => source.destroy(error));
      await expect(receiving).rejects.toMatchObject(error ?? { code: 'ERR_STREAM_PREMATURE_CLOSE' });
      expect(await listFiles()).toEqual([]);
    }
  });

  it('already gone is noticed', async () => {
    const source = new PassThrough();
    source.destroy();
    await once(source, 'close');
    await expect(receiveUpload(store, owner, source, image)).rejects.toMatchObject({
      code: 'ERR_STREAM_PREMATURE_CLOSE',
    });
  });
});

describe('a store that fails', () => {
  let server: S3TestServer;
  let s3: FileStore;

  beforeEach(async () => {
    server = await startS3TestServer();
    s3 = openS3FileStore({ ...server.settings, retryDelayMs: 1 });
  });

  afterEach(async () => {
    await s3.close();
    await server.close();
  });

  it('works when it does not', async () => {
    const content = pngOf(MAX_UPLOAD_BYTES);
    const received = await receiveUpload(s3, owner, inPieces(content, 65_536), image);
    expect(server.objects.get(received.key)?.content.equals(content)).toBe(true);
    await expect(receiveUpload(s3, owner, inPieces(pngOf(101), 7), { ...image, maxBytes: 100 })).rejects.toMatchObject({
      reason: 'too_large',
    });
    expect(server.objects.size).toBe(1);
  });

  it('is named as such, and the client is read to the end', async () => {
    server.faults.push(
      ...Array.from({ length: 3 }, () => ({ kind: 'status', status: 503, code: 'SlowDown' }) as const),
    );
    const source = inPieces(pngOf(300_000), 1000);
    await expect(receiveUpload(s3, owner, source, image)).rejects.toMatchObject({
      name: 'FileStoreError',
      reason: 'unavailable',
    });
    expect(source.readableEnded).toBe(true);
  });

  it('that kept the file and lost its answer each time is asked to remove it', async () => {
    server.faults.push({ kind: 'lost-answer' }, { kind: 'lost-answer' }, { kind: 'lost-answer' });
    await expect(receiveUpload(s3, owner, inPieces(pngOf(3000), 1000), image)).rejects.toMatchObject({
      reason: 'unavailable',
    });
    expect(server.log.at(-1)).toMatch(/^DELETE .* -> 204$/);
    expect(server.objects.size).toBe(0);
  });

  it('at the disk while the client has stalled does not wait for the client', async () => {
    await rm(folder, { recursive: true });
    const source = new PassThrough();
    source.write(pngOf(100_000));
    await expect(receiveUpload(store, owner, source, image)).rejects.toMatchObject({ reason: 'unavailable' });
    const ended = once(source, 'end');
    source.end(Buffer.alloc(100_000));
    await ended;
  });

  it('refuses an owner that is no id', async () => {
    await expect(receiveUpload(store, '../..', inPieces(pngOf(3000), 100), image)).rejects.toMatchObject({
      reason: 'bad_key',
    });
  });
});

describe('inside a multipart request over real HTTP', () => {
  type Outcome = { fields: Record<string, string>; files: Record<string, ReceivedFile | string> };
  let app: FastifyInstance;
  let port: number;
  let outcomes: Promise<unknown>[];

  beforeEach(async () => {
    outcomes = [];
    app = fastify();
    await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY, files: 50 } });
    app.post('/', (request) => {
      const work = async (): Promise<Outcome> => {
        const outcome: Outcome = { fields: {}, files: {} };
        for await (const part of request.parts()) {
          if (part.type === 'field') {
            outcome.fields[part.fieldname] = String(part.value);
          } else {
            outcome.files[part.fieldname] = await receiveUpload(store, owner, part.file, image).catch((error) => {
              if (error instanceof UploadError) return error.reason;
              throw error;
            });
          }
        }
        return outcome;
      };
      const outcome = work();
      outcomes.push(outcome.catch((error) => error));
      return outcome;
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
  });

  afterEach(() => app.close());

  it('receives the fields and files behind a refused one', async () => {
    const form = new FormData();
    const add = (name: string, content: Buffer) =>
      form.append(name, new Blob([new Uint8Array(content)]), `${name}.png`);
    form.append('iv_id', 'riyadh-1');
    add('text', Buffer.from('not a picture'));
    add('large', pngOf(MAX_UPLOAD_BYTES + 1));
    add('long_text', Buffer.alloc(12_000_000, 'text '));
    add('empty', Buffer.alloc(0));
    add('exact', pngOf(MAX_UPLOAD_BYTES));
    add('small', pngOf(100));
    form.append('name_en', 'Riyadh');

    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: form });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      fields: { iv_id: 'riyadh-1', name_en: 'Riyadh' },
      files: {
        text: 'wrong_type',
        large: 'too_large',
        long_text: 'wrong_type',
        empty: 'empty',
        exact: expect.objectContaining({ sizeBytes: MAX_UPLOAD_BYTES, contentType: 'image/png' }),
        small: expect.objectContaining({ sizeBytes: 100 }),
      },
    });
    expect((await listFiles()).length).toBe(2);
  });

  it('leaves nothing when the connection is cut inside the file', async () => {
    const socket = net.connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n',
    );
    socket.write(pngOf(200_000));
    await expect.poll(listFiles).not.toEqual([]);
    socket.destroy();
    await expect.poll(() => outcomes.length).toBe(1);
    expect(await outcomes[0]).toBeInstanceOf(Error);
    expect(await listFiles()).toEqual([]);
  });

  it('leaves nothing when the form ends inside the file', async () => {
    const body = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n'),
      pngOf(200_000),
    ]);
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: new Uint8Array(body),
    });
    expect(response.ok).toBe(false);
    expect(await listFiles()).toEqual([]);
  });

  it('takes 20 forms of 3 files at once', async () => {
    const send = async () => {
      const form = new FormData();
      for (const name of ['a', 'b', 'c']) {
        const content = name === 'b' ? Buffer.from('<svg/>') : pngOf(50_000);
        form.append(name, new Blob([new Uint8Array(content)]), `${name}.png`);
      }
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: form });
      return response.json();
    };
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    for (const answer of answers) {
      expect(answer).toMatchObject({ files: { a: { sizeBytes: 50_000 }, b: 'wrong_type', c: { sizeBytes: 50_000 } } });
    }
    expect((await listFiles()).length).toBe(40);
  });
});
