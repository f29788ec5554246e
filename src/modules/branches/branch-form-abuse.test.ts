import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { call, patienceMs, testShop } from '../../../test/harness/index.ts';
import { branchClient } from './testing/client.ts';
import { listStoredFiles, png } from './testing/images.ts';

const { service, shop } = await testShop();
const client = branchClient(service.baseUrl, shop.owner.token);
const stored = () => listStoredFiles(service.dataDir);
const unclaimed = async () => (await service.sql`select key from unclaimed_files`).length;

const BOUNDARY = 'edge';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const disposition = (name: string, more = '') =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`;
const textPart = (name: string, value: string) => Buffer.from(`${disposition(name)}\r\n${value}\r\n`);
const filePart = (name: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(`${disposition(name, '; filename="a.png"')}content-type: image/png\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from(`--${BOUNDARY}--\r\n`);

describe('a form that cannot be read is 400 and leaves nothing', () => {
  const good = [textPart('iv_id', 'X'), filePart('hero_image', png(2000))];
  // Without the blank line the image is taken for a header, and the part ends inside it.
  const headers = `${disposition('photos', '; filename="a.png"')}content-type: image/png\r\n`;
  const endless = Buffer.concat([Buffer.from(headers), png(500), Buffer.from('\r\n')]);
  test.each<[string, Buffer, string]>([
    ['no closing boundary', Buffer.concat(good), FORM],
    ['cut inside a file', Buffer.concat(good).subarray(0, 1000), FORM],
    ['cut inside a header', Buffer.concat(good).subarray(0, 20), FORM],
    ['another boundary', Buffer.concat([...good, END]), 'multipart/form-data; boundary=other'],
    ['no boundary', Buffer.concat([...good, END]), 'multipart/form-data'],
    ['an empty boundary', Buffer.concat([...good, END]), 'multipart/form-data; boundary='],
    ['no form at all', Buffer.from('{"iv_id":"X"}'), FORM],
    ['nothing', Buffer.alloc(0), FORM],
    ['headers that never end', Buffer.concat([...good, endless, END]), FORM],
    ['the same before megabytes', Buffer.concat([...good, endless, filePart('photos', png(5_000_000)), END]), FORM],
    ['headers without measure', Buffer.concat([...good, Buffer.from(headers), png(500_000), END]), FORM],
    ['a reserved name', Buffer.concat([textPart('__proto__', 'x'), ...good, END]), FORM],
    [
      'JSON that is none',
      Buffer.concat([
        Buffer.from(`${disposition('location')}content-type: application/json\r\n\r\n{"lat":\r\n`),
        ...good,
        END,
      ]),
      FORM,
    ],
    [
      'JSON 50,000 levels deep',
      Buffer.concat([
        Buffer.from(
          `${disposition('location')}content-type: application/json\r\n\r\n${'['.repeat(50_000)}${']'.repeat(50_000)}\r\n`,
        ),
        ...good,
        END,
      ]),
      FORM,
    ],
    [
      'a thousand parts',
      Buffer.concat([...good, ...Array.from({ length: 1000 }, (_, index) => textPart(`f${index}`, 'x')), END]),
      FORM,
    ],
  ])('%s', async (_name, raw, type) => {
    const before = await stored();
    const reply = await client.createRaw(raw, type);
    expect(reply.body).toMatchObject({ code: 400 });
    expect(reply.status).toBe(400);
    expect(await stored()).toEqual(before);
    expect(await unclaimed()).toBe(0);
    expect((await client.get('X')).status).toBe(404);
  });

  test.each([
    ['name_ar', [0xc7, 0xe1, 0xd1]],
    ['location', [0x7b, 0x22, 0x63, 0x69, 0x74, 0x79, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]],
  ])('%s in another encoding is refused by its name', async (field, bytes) => {
    const part = Buffer.concat([Buffer.from(`${disposition(field)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
    const before = await stored();
    const reply = await client.createRaw(Buffer.concat([...good, part, END]), FORM);
    expect(reply).toMatchObject({ status: 400, body: { details: { [field]: 'must be UTF-8' } } });
    expect(await stored()).toEqual(before);
    expect((await client.get('X')).status).toBe(404);
  });

  test('multipart is a wrong content type where only JSON is taken', async () => {
    const options = { token: shop.owner.token, raw: END, headers: { 'content-type': FORM } };
    for (const target of ['POST /branches/bulk', 'PUT /branches/X/working-hours']) {
      expect(await call(service.baseUrl, target, options)).toMatchObject({
        status: 400,
        body: { error: 'Wrong content type' },
      });
    }
  });

  test('a file far over its limit is read to its end and named', async () => {
    const before = await stored();
    const huge = png(40 * 1024 * 1024);
    const raw = Buffer.concat([filePart('hero_image', huge), textPart('iv_id', 'X'), textPart('status', 'bad'), END]);
    const reply = await client.createRaw(raw, FORM);
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.details).sort()).toEqual(['hero_image', 'status']);
    expect(await stored()).toEqual(before);
  });
});

describe('a client that goes away', () => {
  function open(target: string, contentLength: number): Socket {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(
      `${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.owner.token}\r\n` +
        `content-type: ${FORM}\r\ncontent-length: ${contentLength}\r\n\r\n`,
    );
    return socket;
  }

  test.each([['POST /api/v1/branches'], ['PUT /api/v1/branches/AWAY']])('in the middle of %s', async (target) => {
    await client.create({ iv_id: 'AWAY' });
    const before = await stored();
    const socket = open(target, 10_000_000);
    socket.write(textPart('iv_id', 'AWAY'));
    socket.write(filePart('hero_image', png(100_000)));
    socket.write(filePart('banner_image', png(200_000)).subarray(0, 100_000));
    // The first image is whole and in the store, the second half-written.
    await vi.waitFor(async () => expect(await stored()).toHaveLength(before.length + 2), { timeout: patienceMs() });
    socket.destroy();
    await vi.waitFor(async () => expect(await stored()).toEqual(before), { timeout: patienceMs() });
    await vi.waitFor(async () => expect(await unclaimed()).toBe(0), { timeout: patienceMs() });
    expect((await client.get('AWAY')).body.hero_image).toBeNull();
  });

  test('a client that closes its half in the middle of a file', async () => {
    const before = await stored();
    const socket = open('POST /api/v1/branches', 1_000_000);
    socket.on('error', () => {});
    socket.write(filePart('hero_image', png(50_000)).subarray(0, 20_000));
    await vi.waitFor(async () => expect(await stored()).toHaveLength(before.length + 1), { timeout: patienceMs() });
    socket.end();
    socket.resume();
    await once(socket, 'close');
    await vi.waitFor(async () => expect(await stored()).toEqual(before), { timeout: patienceMs() });
    await vi.waitFor(async () => expect(await unclaimed()).toBe(0), { timeout: patienceMs() });
  });
});

test('503 when the store is gone, and fine again when it is back', async () => {
  const folder = path.join(service.dataDir, 'files');
  await rename(folder, `${folder}-away`);
  const reply = await client.createByForm({ iv_id: 'STORE', hero_image: png(), photos: [png()] });
  await rename(`${folder}-away`, folder);
  expect(reply).toMatchObject({ status: 503, body: { code: 503, details: 'The file store cannot be reached' } });
  expect((await client.get('STORE')).status).toBe(404);
  expect((await client.createByForm({ iv_id: 'STORE', hero_image: png() })).status).toBe(201);
});

test('damaged forms: never a 500, never a file too many', async () => {
  const whole = Buffer.concat([
    textPart('name_en', 'Damaged'),
    filePart('hero_image', png(600)),
    textPart('location', '{"lat":1,"lon":2}'),
    filePart('photos', png(300)),
    filePart('photos', png(300)),
  ]);
  let serial = 0;
  const damage = fc.record({
    cut: fc.option(fc.nat(whole.length), { nil: undefined }),
    flips: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
    insert: fc.option(fc.tuple(fc.nat(whole.length), fc.uint8Array({ maxLength: 40 })), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ cut, flips, insert }) => {
      serial += 1;
      const bytes = Buffer.from(whole);
      for (const [at, value] of flips) bytes[at] = value;
      const [at, extra] = insert ?? [0, new Uint8Array()];
      const damaged = Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)]);
      const body = cut === undefined ? Buffer.concat([damaged, END]) : damaged.subarray(0, cut);
      const before = (await stored()).length;
      const reply = await client.createRaw(Buffer.concat([textPart('iv_id', `D-${serial}`), body]), FORM);
      expect([201, 400]).toContain(reply.status);
      const rows = await service.sql<{ images: number }[]>`
        select num_nonnulls(hero_image, banner_image) + cardinality(photos) as images from branches
        where organization_id = ${shop.id} and iv_id = ${`D-${serial}`}`;
      expect(rows).toHaveLength(reply.status === 201 ? 1 : 0);
      expect(await stored()).toHaveLength(before + (rows[0]?.images ?? 0));
      expect(await unclaimed()).toBe(0);
    }),
    { numRuns: 150 },
  );
});
