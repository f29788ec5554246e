import { rename } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, type TestService, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { MAX_UPLOAD_BYTES, newFileKey } from '../../platform/files/index.ts';
import { newId } from '../../platform/ids.ts';
import { gif, jpeg, listStoredFiles, png, webp } from '../branches/testing/images.ts';
import { matchesEtag } from './etag.ts';
import { startUpload } from './receive-files.ts';
import { abandonFiles, removeUnclaimed, sweepUnclaimedFiles } from './remove-files.ts';

const clock = movableClock(new Date('2026-11-15T07:00:00.000Z'));
const owner = newId();
const rules = { maxBytes: MAX_UPLOAD_BYTES, accept: 'image' } as const;
let service: TestService;
const stored = () => listStoredFiles(service.dataDir);
const unclaimed = async () =>
  (await service.sql<{ key: string }[]>`select key from unclaimed_files`).map((row) => row.key);
const put = async (content: Buffer, extension: 'png' | 'jpg' | 'webp' | 'gif' | 'pdf', contentType: string) => {
  const key = newFileKey(owner, extension);
  await service.platform.files.put(key, content, { contentType });
  return key;
};

beforeAll(async () => {
  service = await testService({ DUKKAN_ROLES: 'api' }, { clock });
});

describe('GET /files/{owner}/{name}', () => {
  test.each([
    ['png', 'image/png', png(3000)],
    ['jpg', 'image/jpeg', jpeg(3000)],
    ['webp', 'image/webp', webp()],
    ['gif', 'image/gif', gif()],
  ] as const)('200: a %s, to anyone, to be kept for good', async (extension, contentType, content) => {
    const key = await put(content, extension, contentType);
    const reply = await fetch(`${service.baseUrl}/api/v1/files/${key}`);
    expect(reply.status).toBe(200);
    expect(Buffer.from(await reply.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': contentType,
      'content-length': String(content.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^".+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
      'x-request-id': expect.any(String),
    });
  });

  test('HEAD returns the same headers without a body', async () => {
    const key = await put(png(5000), 'png', 'image/png');
    const reply = await fetch(`${service.baseUrl}/api/v1/files/${key}`, { method: 'HEAD' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/png');
    expect(reply.headers.get('content-length')).toBe('5000');
    expect(await reply.text()).toBe('');
  });

  test('returns 304 when If-None-Match has the current ETag', async () => {
    const key = await put(png(), 'png', 'image/png');
    const url = `${service.baseUrl}/api/v1/files/${key}`;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await fetch(url, { headers: { 'if-none-match': header } });
      expect(reply.status, header).toBe(304);
      expect(reply.headers.get('etag')).toBe(etag);
      expect(reply.headers.get('cache-control')).toContain('immutable');
      expect(await reply.text()).toBe('');
    }
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await fetch(url, { method: 'HEAD', headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test.each([
    ['never stored', `${newId()}/3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.png`],
    ['no key', 'a/b'],
    ['another extension', `${newId()}/3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.svg`],
    ['upwards', '..%2F..%2Fsecret/x'],
    ['upwards in the name', `${newId()}/..%2F..%2Fsecret`],
    ['half-written files', '.incoming/3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.png'],
  ])('404: %s', async (_name, key) => {
    const reply = await call<{ code: number; error: string }>(service.baseUrl, `GET /files/${key}`);
    expect(reply).toMatchObject({ status: 404, body: { code: 404, error: 'File not found' } });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('returns 404 for a document, also with the right name', async () => {
    const key = await put(Buffer.from('%PDF-1.7\n'), 'pdf', 'application/pdf');
    expect((await fetch(`${service.baseUrl}/api/v1/files/${key}`)).status).toBe(404);
  });

  test('returns 503 when the file store fails', async () => {
    const key = await put(png(), 'png', 'image/png');
    const folder = path.join(service.dataDir, 'files', owner);
    // A file where a folder belongs: not missing, but broken.
    await rename(folder, `${folder}-away`);
    await rename(path.join(`${folder}-away`, path.basename(key)), folder);
    const reply = await fetch(`${service.baseUrl}/api/v1/files/${key}`);
    await rename(folder, path.join(`${folder}-away`, path.basename(key)));
    await rename(`${folder}-away`, folder);
    expect(reply.status).toBe(503);
    expect((await fetch(`${service.baseUrl}/api/v1/files/${key}`)).status).toBe(200);
  });

  test('is documented as a public operation', async () => {
    const { body } = await call<{ paths: Record<string, { get: { security: unknown } }> }>(
      service.baseUrl,
      'GET /openapi.json',
    );
    expect(body.paths['/api/v1/files/{owner}/{name}']?.get.security).toEqual([]);
  });
});

describe('files without an owner', () => {
  beforeEach(async () => {
    await service.sql`truncate unclaimed_files`;
  });

  test('a claimed file stays after cleanup', async () => {
    const upload = startUpload(service.platform, owner);
    const { key } = await upload.receive(Readable.from([png()]), rules);
    expect(await unclaimed()).toEqual([key]);
    await inTransaction(service.sql, (tx) => upload.claim(tx));
    expect(await unclaimed()).toEqual([]);
    await upload.settle();
    expect(await stored()).toContain(key);
  });

  test('a claim that was rolled back does not hold the file', async () => {
    const upload = startUpload(service.platform, owner);
    const { key } = await upload.receive(Readable.from([png()]), rules);
    const attempt = inTransaction(service.sql, async (tx) => {
      await upload.claim(tx);
      throw new Error('later');
    });
    await expect(attempt).rejects.toThrow('later');
    await upload.settle();
    expect(await stored()).not.toContain(key);
    expect(await unclaimed()).toEqual([]);
  });

  test('cleanup waits for a claim that is being committed', async () => {
    const upload = startUpload(service.platform, owner);
    const { key } = await upload.receive(Readable.from([png()]), rules);
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let claimed = () => {};
    const hasClaimed = new Promise<void>((resolve) => {
      claimed = resolve;
    });
    const transaction = inTransaction(service.sql, async (tx) => {
      await upload.claim(tx);
      claimed();
      await mayCommit;
    });
    await hasClaimed;
    const settling = upload.settle();
    commit();
    await Promise.all([transaction, settling]);
    expect(await stored()).toContain(key);
  });

  test('a file that was swept cannot be claimed any more', async () => {
    const upload = startUpload(service.platform, owner);
    const { key } = await upload.receive(Readable.from([png()]), rules);
    await removeUnclaimed(service.platform, [key]);
    await expect(inTransaction(service.sql, (tx) => upload.claim(tx))).rejects.toThrow(/swept/);
  });

  test('the sweep removes files of a crashed process after an hour', async () => {
    const left = await startUpload(service.platform, owner).receive(Readable.from([png()]), rules);
    const kept = await put(png(), 'png', 'image/png');
    clock.advanceMs(59 * 60_000);
    expect(await sweepUnclaimedFiles(service.platform)).toBe(0);
    expect(await stored()).toContain(left.key);
    clock.advanceMs(2 * 60_000);
    expect(await sweepUnclaimedFiles(service.platform)).toBe(1);
    expect(await stored()).not.toContain(left.key);
    expect(await stored()).toContain(kept);
    expect(await unclaimed()).toEqual([]);
  });

  test('a removal that fails is left to the sweep', async () => {
    const key = await put(png(), 'png', 'image/png');
    await inTransaction(service.sql, (tx) => abandonFiles(tx, [key], clock.now()));
    const broken = { ...service.platform.files, removeMany: () => Promise.reject(new Error('down')) };
    await removeUnclaimed({ ...service.platform, files: broken }, [key]);
    expect(await unclaimed()).toEqual([key]);
    expect(await stored()).toContain(key);
    clock.advanceMs(61 * 60_000);
    expect(await sweepUnclaimedFiles(service.platform)).toBe(1);
    expect(await stored()).not.toContain(key);
  });
});

test.each([
  [undefined, false],
  ['*', true],
  ['"a"', true],
  ['W/"a"', true],
  ['"b" , "a"', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match %j against "a": %s', (header, expected) => {
  expect(matchesEtag(header, '"a"')).toBe(expected);
});
