import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patienceMs } from '../../../test/harness/patience.ts';
import { newFileKey } from './file-key.ts';
import { type FileStore, FileStoreError } from './file-store.ts';
import { openFileStore, openS3FileStore, readVersioning } from './index.ts';
import { getBucketUrl, type S3Settings } from './s3-request.ts';
import { describeFileStore } from './testing/file-store-contract.ts';
import { type S3TestServer, startS3TestServer } from './testing/s3-server.ts';

/** A request arrives before its time is over: 2 s on a quiet machine. */
const ARRIVES_MS = Math.round(patienceMs() / 15);
const PNG = { contentType: 'image/png' };
const key = newFileKey(randomUUID(), 'png');

const everyCall: [string, (one: FileStore) => Promise<unknown>][] = [
  ['put', (one) => one.put(key, Buffer.from('x'), PNG)],
  ['open', (one) => one.open(key)],
  ['remove', (one) => one.remove(key)],
  ['check', (one) => one.check()],
];

let server: S3TestServer;
let store: FileStore;
let opened: FileStore[];

function open(changes: Partial<S3Settings> = {}): FileStore {
  const another = openS3FileStore({ ...server.settings, retryDelayMs: 1, ...changes });
  opened.push(another);
  return another;
}

beforeEach(async () => {
  server = await startS3TestServer();
  opened = [];
  store = open();
});

afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await server.close();
});

describeFileStore(() => ({ store, listEverything: async () => [...server.objects.keys()] }));

describe('on the wire', () => {
  it('signs every request so that an independent verifier accepts it, path style', async () => {
    const fromSettings = await openFileStore({ driver: 's3', ...server.settings });
    opened.push(fromSettings);
    await fromSettings.check();
    await fromSettings.put(key, Buffer.from('content'), PNG);
    expect(await text((await fromSettings.open(key))?.stream ?? Readable.from([]))).toBe('content');
    await fromSettings.remove(key);
    const object = `/${server.settings.bucket}/${key}`;
    expect(server.log).toEqual([
      `HEAD /${server.settings.bucket} -> 200`,
      `PUT ${object} -> 200`,
      `GET ${object} -> 200`,
      `DELETE ${object} -> 204`,
    ]);
  });

  it('stores the content type for those who look into the bucket, and trusts only the key when reading', async () => {
    await store.put(key, Buffer.from('x'), PNG);
    const object = server.objects.get(key);
    expect(object?.contentType).toBe('image/png');
    server.objects.set(key, { content: Buffer.from('x'), lastModified: new Date(), contentType: 'text/html' });
    const file = await store.open(key);
    file?.stream.destroy();
    expect(file?.contentType).toBe('image/png');
  });

  it('refuses more than 10 MB before it asks the store', async () => {
    const source = Readable.from([Buffer.alloc(10 * 1024 * 1024), Buffer.alloc(1)], { objectMode: false });
    await expect(store.put(key, source, PNG)).rejects.toMatchObject({ reason: 'bad_size' });
    expect(server.log).toEqual([]);
  });
});

describe('refused by the store', () => {
  it.each(everyCall)('%s with a wrong secret is denied, once, and keeps the secret to itself', async (name, call) => {
    const error: unknown = await call(open({ secretAccessKey: 'wrong-secret' })).catch((caught) => caught);
    if (!(error instanceof FileStoreError)) throw error;
    expect(error).toMatchObject({ name: 'FileStoreError', reason: 'denied' });
    expect(error.message).toContain('403');
    // HEAD answers have no body, so no code.
    if (name !== 'check') expect(error.message).toContain('SignatureDoesNotMatch');
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('wrong-secret');
    expect(server.log.length).toBe(1);
    expect(server.objects.size).toBe(0);
  });

  it('an unknown access key is denied', async () => {
    await expect(open({ accessKeyId: 'AKIAUNKNOWN' }).open(key)).rejects.toMatchObject({
      reason: 'denied',
      message: expect.stringContaining('InvalidAccessKeyId'),
    });
  });

  it('a wrong region is named', async () => {
    await expect(open({ region: 'eu-west-1' }).open(key)).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('expecting me-south-1'),
    });
  });

  it.each(everyCall)('%s on a missing bucket fails instead of answering "no such file"', async (_name, call) => {
    await expect(call(open({ bucket: 'another-bucket' }))).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('404'),
    });
  });

  it('a bare 404 without XML is a missing file', async () => {
    server.faults.push({ kind: 'status', status: 404 }, { kind: 'status', status: 404 });
    expect(await store.open(key)).toBeUndefined();
    await store.remove(key);
  });

  it("a proxy's long HTML page does not end up in the message", async () => {
    server.faults.push({ kind: 'status', status: 400, body: `<html>${'proxy '.repeat(20_000)}</html>` });
    await expect(store.open(key)).rejects.toThrow(new FileStoreError('failed', `S3 GET ${key} answered 400`));
  });

  it('an error page without an end is read only in part', async () => {
    server.faults.push({ kind: 'endless-error' });
    await expect(store.put(key, Buffer.from('x'), PNG)).rejects.toMatchObject({
      reason: 'failed',
      message: `S3 PUT ${key} answered 400`,
    });
  });

  it('redirects are not followed', async () => {
    server.faults.push({ kind: 'status', status: 301, code: 'PermanentRedirect' });
    await expect(store.open(key)).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('PermanentRedirect'),
    });
    expect(server.log.length).toBe(1);
  });
});

describe('when the store stumbles', () => {
  it.each([500, 502, 503, 504, 429])('%i is tried again, and the file arrives whole', async (status) => {
    server.faults.push({ kind: 'status', status, code: 'SlowDown' }, { kind: 'status', status });
    const content = randomBytes(50_000);
    await store.put(key, Readable.from([content]), PNG);
    expect(server.objects.get(key)?.content.equals(content)).toBe(true);
    expect(server.log.length).toBe(3);
  });

  it('500 for the third time is returned as an error', async () => {
    for (let nth = 0; nth < 3; nth++) server.faults.push({ kind: 'status', status: 500, code: 'InternalError' });
    await expect(store.put(key, Buffer.from('x'), PNG)).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('500 InternalError'),
    });
    expect(server.log.length).toBe(3);
    expect(server.objects.size).toBe(0);
  });

  it('check asks only once', async () => {
    server.faults.push({ kind: 'status', status: 503 });
    await expect(store.check()).rejects.toMatchObject({ reason: 'unavailable' });
    expect(server.log.length).toBe(1);
  });

  it('a dropped connection is tried again', async () => {
    server.faults.push({ kind: 'reset' }, { kind: 'lost-answer' });
    await store.put(key, Buffer.from('x'), PNG);
    expect(server.log.map((line) => line.split(' -> ')[1])).toEqual(['0', '0', '200']);
  });

  it('three dropped connections are an error', async () => {
    server.faults.push({ kind: 'reset' }, { kind: 'reset' }, { kind: 'reset' });
    await expect(store.open(key)).rejects.toMatchObject({ name: 'FileStoreError', reason: 'unavailable' });
  });

  it('silence ends at the deadline', async () => {
    const impatient = open({ timeoutMs: ARRIVES_MS });
    server.faults.push({ kind: 'hang' });
    await expect(impatient.open(key)).rejects.toMatchObject({
      reason: 'timeout',
      message: `S3 GET got no answer within ${ARRIVES_MS} ms`,
    });
    expect(server.log.length).toBe(1);
  });

  it('a refused connection is reported with its error code', async () => {
    const closed = net.createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const address = closed.address();
    closed.close();
    await once(closed, 'close');
    const port = typeof address === 'object' ? address?.port : undefined;
    const closedStore = open({ endpoint: `http://127.0.0.1:${port}` });
    for (const [, call] of everyCall) {
      await expect(call(closedStore)).rejects.toMatchObject({
        reason: 'unavailable',
        message: expect.stringContaining('ECONNREFUSED'),
      });
    }
  });

  it('an answer that is not HTTP is an error', async () => {
    const babbler = net
      .createServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end('SSH-2.0-OpenSSH_9.6\r\n'),
      )
      .listen(0, '127.0.0.1');
    await once(babbler, 'listening');
    const address = babbler.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await expect(open({ endpoint: `http://127.0.0.1:${port}` }).open(key)).rejects.toMatchObject({
      reason: 'unavailable',
    });
    babbler.close();
    await once(babbler, 'close');
  });

  it('a body cut short breaks the stream instead of passing for the file', async () => {
    await store.put(key, randomBytes(400_000), PNG);
    server.faults.push({ kind: 'truncate' });
    const file = await store.open(key);
    expect(file?.sizeBytes).toBe(400_000);
    await expect(buffer(file?.stream ?? Readable.from([]))).rejects.toThrow();
  });

  it('a body that stops arriving breaks the stream too', async () => {
    await store.put(key, randomBytes(400_000), PNG);
    server.faults.push({ kind: 'stall' });
    const file = await open({ timeoutMs: ARRIVES_MS }).open(key);
    await expect(buffer(file?.stream ?? Readable.from([]))).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
  });
});

describe('settings', () => {
  const settings: S3Settings = {
    endpoint: 'https://s3.example.com',
    region: 'me-south-1',
    bucket: 'images',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  };

  it.each([
    [{}, 'https://s3.example.com/images'],
    [{ endpoint: 'https://s3.example.com/' }, 'https://s3.example.com/images'],
    [{ endpoint: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/images'],
    [{ endpoint: 'https://host.example/storage/v1/s3/' }, 'https://host.example/storage/v1/s3/images'],
    [{ pathStyle: false }, 'https://images.s3.example.com'],
    [{ pathStyle: false, endpoint: 'http://localhost:9000/' }, 'http://images.localhost:9000'],
  ])('%o reach the bucket at %s', (changes, url) => {
    expect(getBucketUrl({ ...settings, ...changes })).toBe(url);
  });

  it.each([
    { endpoint: '' },
    { endpoint: 's3.example.com' },
    { endpoint: 'ftp://s3.example.com' },
    { endpoint: 'https://id:secret@s3.example.com' },
    { endpoint: 'https://s3.example.com/?x=1' },
    { bucket: '' },
    { bucket: 'a/b' },
    { bucket: '../other' },
    { bucket: 'Images' },
    { region: '' },
    { accessKeyId: '' },
    { secretAccessKey: '' },
  ])('%o are refused at once', (changes) => {
    expect(() => openS3FileStore({ ...settings, ...changes })).toThrow(/S3/);
  });
});

it('reads whether the bucket keeps versions, or why that is unknown', async () => {
  expect(await readVersioning(server.settings)).toBe('off');
  server.versioning.enabled = true;
  expect(await readVersioning(server.settings)).toBe('enabled');
  expect(await readVersioning({ ...server.settings, secretAccessKey: 'wrong' })).toMatch(/403 SignatureDoesNotMatch/);
  server.faults.push({ kind: 'endless' });
  expect(await readVersioning(server.settings)).toBe('off');
});

it('a reader that walks away gives its connection back', async () => {
  await store.put(key, randomBytes(5_000_000), PNG);
  for (let nth = 0; nth < 30; nth++) (await store.open(key))?.stream.destroy();
  await expect.poll(() => server.openConnections()).toBeLessThanOrEqual(2);
});
