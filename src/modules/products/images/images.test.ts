import { beforeAll, describe, expect, test } from 'vitest';
import { testAccount } from '../../../../test/harness/index.ts';
import { MAX_UPLOAD_BYTES } from '../../../platform/files/index.ts';
import { type FormParts, formOf, gif, jpeg, listStoredFiles, png, webp } from '../../branches/testing/images.ts';
import { testProductShop } from '../testing/product-shop.ts';

let shop: Awaited<ReturnType<typeof testProductShop>>;
let ivId: string;

type Image = { id: string; url: string; alt_en: string; alt_ar: string };

const stored = async () =>
  (await listStoredFiles(shop.service.dataDir)).filter((file) => file.startsWith(shop.shop.id));
const unclaimed = () => shop.service.sql`select key from unclaimed_files`;
const add = (parts: FormParts, options: { token?: string; headers?: Record<string, string>; at?: string } = {}) =>
  shop.ask(`POST /products/code/${options.at ?? ivId}/images`, { raw: formOf(parts), ...options });
const arrange = (images: unknown, headers?: Record<string, string>) =>
  shop.asOwner(`PUT /products/code/${ivId}/images`, { images }, headers);
const read = async () => {
  const { body, headers } = await shop.asOwner(`GET /products/code/${ivId}`);
  return { images: body.images as Image[], etag: headers.get('etag') ?? '', body };
};
const removeAll = () => arrange([]);

beforeAll(async () => {
  shop = await testProductShop();
  ivId = await shop.createProduct({ name_en: 'Milk' });
});

describe('POST /products/code/{ivId}/images', () => {
  test('adds the image after the others and returns the product with a new ETag', async () => {
    const before = await read();
    expect(before.images).toEqual([]);
    const reply = await add({ file: png(), alt_en: 'Front', alt_ar: 'الواجهة' });
    expect(reply).toMatchObject({ status: 201, body: { success: true, message: 'Image added' } });
    expect(reply.body.data.images).toEqual([
      {
        id: expect.any(String),
        url: expect.stringMatching(/\/api\/v1\/files\/.+\.png$/),
        alt_en: 'Front',
        alt_ar: 'الواجهة',
      },
    ]);
    await add({ file: webp() });
    await add({ file: jpeg() });
    const after = await read();
    expect(after.images.map(({ url }) => url.split('.').at(-1))).toEqual(['png', 'webp', 'jpg']);
    expect(after.etag).not.toBe(before.etag);
    expect((await fetch(after.images[0]?.url ?? '')).headers.get('content-type')).toBe('image/png');
    const { body } = await shop.asOwner(`GET /products?search=${ivId}`);
    expect(body.data[0].images).toEqual(after.images);
    await removeAll();
  });

  test.each([
    ['a gif', { file: gif() }, { file: 'The file must be jpg, png or webp' }],
    [
      'an svg',
      { file: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { file: 'The file must be jpg, png or webp' },
    ],
    ['no file', { alt_en: 'x' }, { file: 'is required' }],
    ['text as the file', { file: 'x' }, { file: 'must be a file' }],
    ['two files', { file: [png(), png()] }, { file: 'only one file is allowed' }],
    [
      'one byte more than 10 MB',
      { file: png(MAX_UPLOAD_BYTES + 1) },
      { file: 'The file is larger than 10485760 bytes' },
    ],
    [
      'a text that is too long',
      { file: png(), alt_ar: 'x'.repeat(256) },
      { alt_ar: 'must have at most 255 characters' },
    ],
    ['a NUL character', { file: png(), alt_en: 'a\u0000b' }, { alt_en: 'cannot be stored' }],
  ] as [string, FormParts, object][])('returns 400 for %s and leaves no file', async (_case, parts, details) => {
    const before = await stored();
    expect(await add(parts)).toMatchObject({ status: 400, body: { error: 'Validation failed', details } });
    expect(await stored()).toEqual(before);
    expect(await unclaimed()).toEqual([]);
  });

  test('accepts exactly 10 MB, and returns 400 for JSON and for a ninth image', async () => {
    expect((await add({ file: png(MAX_UPLOAD_BYTES) })).status).toBe(201);
    expect(await shop.asOwner(`POST /products/code/${ivId}/images`, { alt_en: 'x' })).toMatchObject({
      status: 400,
      body: { details: { file: 'is required, in a form (multipart/form-data)' } },
    });
    for (let count = 1; count < 8; count += 1) await add({ file: png() });
    expect(await add({ file: png() })).toMatchObject({
      status: 400,
      body: { details: { file: 'at most 8 images are allowed' } },
    });
    expect(await stored()).toHaveLength(8);
    await removeAll();
    expect(await stored()).toEqual([]);
  });

  test('stores one image for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'image-1' };
    const first = await add({ file: png() }, { headers });
    const again = await add({ file: png() }, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-hit')).toBe('true');
    expect(await add({ file: png(200) }, { headers })).toMatchObject({ status: 422 });
    expect(await stored()).toHaveLength(1);
    await removeAll();
  });

  test('stores every image when several arrive at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => add({ file: png() })));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(8).fill(201), 400, 400]);
    expect(new Set((await read()).images.map(({ url }) => url)).size).toBe(8);
    expect(await stored()).toHaveLength(8);
    await removeAll();
  });
});

describe('PUT /products/code/{ivId}/images', () => {
  test('orders, describes and removes images, and deletes the files of those removed', async () => {
    for (const alt_en of ['one', 'two', 'three']) await add({ file: png(), alt_en, alt_ar: 'صورة' });
    const [one, two, three] = (await read()).images;
    const reply = await arrange([{ id: three?.id }, { id: one?.id, alt_en: null, alt_ar: 'أولى' }]);
    expect(reply).toMatchObject({ status: 200, body: { message: 'Images updated' } });
    expect(reply.body.data.images).toEqual([three, { ...one, alt_en: '', alt_ar: 'أولى' }]);
    expect(reply.headers.get('etag')).toBe((await read()).etag);
    expect((await fetch(two?.url ?? '')).status).toBe(404);
    expect(await stored()).toHaveLength(2);
    await removeAll();
  });

  test('returns 422 for unknown and repeated ids and invalid texts, and changes nothing', async () => {
    await add({ file: png() });
    const { images, etag } = await read();
    const id = images[0]?.id;
    expect(await arrange([{ id: 'x\u2028' }, { id }, { id }])).toMatchObject({
      status: 422,
      body: { details: { 'images.0.id': 'is not an image of this product', 'images.2.id': 'was sent more than once' } },
    });
    expect((await arrange([{ id, alt_en: 'x'.repeat(256) }])).status).toBe(422);
    expect((await arrange(Array(9).fill({ id }))).status).toBe(422);
    expect((await arrange('none')).status).toBe(422);
    expect((await read()).etag).toBe(etag);
    await removeAll();
  });
});

describe('DELETE /products/code/{ivId}/images/{imageId}', () => {
  test('removes the image with its file; 404 for an image that is not there', async () => {
    await add({ file: png() });
    const [image] = (await read()).images;
    const at = `DELETE /products/code/${ivId}/images/${image?.id}`;
    expect((await shop.asOwner(at)).status).toBe(204);
    expect(await shop.asOwner(at)).toMatchObject({ status: 404, body: { error: 'Image not found' } });
    expect((await shop.asOwner(`DELETE /products/code/${ivId}/images/%20`)).status).toBe(404);
    expect(await stored()).toEqual([]);
  });
});

describe('images of a product', () => {
  test('need the current version when If-Match is sent', async () => {
    const { etag, body } = await read();
    const stale = { 'if-match': '"2020-01-01T00:00:00.000Z"' };
    const refused = await add({ file: png() }, { headers: stale });
    expect(refused).toMatchObject({ status: 412, body: { details: { current: body } } });
    expect((await arrange([], stale)).status).toBe(412);
    expect((await shop.asOwner(`DELETE /products/code/${ivId}/images/x`, undefined, stale)).status).toBe(412);
    expect(await stored()).toEqual([]);
    const added = await add({ file: png() }, { headers: { 'if-match': etag } });
    expect(added.status).toBe(201);
    expect((await arrange([], { 'if-match': added.headers.get('etag') ?? '' })).status).toBe(200);
  });

  test('stay when the product is replaced, patched or saved in bulk, also with images in the body', async () => {
    await add({ file: png(), alt_en: 'stays' });
    const { images, body } = await read();
    const put = await shop.asOwner(`PUT /products/code/${ivId}`, { ...body, images: [], name_en: 'Laban' });
    expect(put).toMatchObject({ status: 200, body: { data: { name_en: 'Laban', images } } });
    expect(put.headers.get('x-ignored-fields')).toContain('images');
    expect((await shop.asOwner(`PATCH /products/code/${ivId}`, { name_en: 'Milk' })).body.data.images).toEqual(images);
    await shop.asOwner('POST /products/bulk', {
      mode: 'upsert',
      products: [{ iv_id: ivId, images: [], name_ar: 'حليب' }],
    });
    expect((await read()).images).toEqual(images);
    await removeAll();
  });

  test('go with the deleted product', async () => {
    const gone = await shop.createProduct();
    await add({ file: png() }, { at: gone });
    expect(await stored()).toHaveLength(1);
    expect((await shop.asOwner(`DELETE /products/code/${gone}?force=true`)).status).toBe(204);
    expect(await stored()).toEqual([]);
    expect((await add({ file: png() }, { at: gone })).status).toBe(404);
    expect(await stored()).toEqual([]);
  });

  test('are recorded in the audit log by name', async () => {
    await add({ file: png() });
    const { body } = await shop.asOwner('GET /audit?resource=Products&limit=1');
    expect(body.data[0]).toMatchObject({ action: 'update', changed_fields: ['images'] });
    await removeAll();
  });

  test('return 401 without a token, 403 for viewers and accounts of one branch, 404 for another organization', async () => {
    const member = await testAccount(shop.service.sql, shop.shop.id, 'member');
    expect((await add({ file: png() }, { token: 'none' })).status).toBe(401);
    expect((await add({ file: png() }, { token: shop.viewer.token })).status).toBe(403);
    expect((await add({ file: png() }, { token: shop.confined.token })).status).toBe(403);
    expect((await add({ file: png() }, { token: shop.neighbour.owner.token })).status).toBe(404);
    expect((await add({ file: png() }, { token: member.token })).status).toBe(201);
    await removeAll();
    expect(await stored()).toEqual([]);
    expect(await unclaimed()).toEqual([]);
  });
});
