import { describe, expect, test } from 'vitest';
import { MAX_UPLOAD_BYTES } from '../../platform/files/index.ts';
import { branchFormService } from './testing/branch-form-service.ts';
import { type FormParts, formOf, gif, jpeg, png, webp } from './testing/images.ts';

const { service, at, stored } = await branchFormService();

describe('create', () => {
  test('with every text field and every image', async () => {
    const working_hours = { sunday: { open: '09:00', close: '17:00' } };
    const reply = await at.client.createByForm({
      iv_id: 'F-1',
      name_en: 'Corniche',
      name_ar: 'الكورنيش',
      email: 'c@example.com',
      active: 'false',
      status: 'Pending',
      location: JSON.stringify({ lat: 21.5, lon: 39.1, city: 'جدة' }),
      working_hours: JSON.stringify(working_hours),
      apple_maps_id: 'A',
      google_maps_id: 'G',
      time_zone: 'Asia/Riyadh',
      hero_image: png(),
      banner_image: jpeg(),
      photos: [webp(), gif(), png(5000)],
      note: 'ignored',
      attachment: png(),
    });
    expect(reply.status).toBe(201);
    const { body } = await at.client.get('F-1');
    expect(body).toMatchObject({
      name_en: 'Corniche',
      name_ar: 'الكورنيش',
      email: 'c@example.com',
      active: false,
      status: 'Pending',
      location: { lat: 21.5, lon: 39.1, city: 'جدة' },
      working_hours,
      apple_maps_id: 'A',
      google_maps_id: 'G',
      time_zone: 'Asia/Riyadh',
    });
    expect(body.hero_image).toMatch(new RegExp(`^${service.baseUrl}/api/v1/files/${at.shop.id}/[0-9a-f-]{36}\\.png$`));
    expect(body.banner_image).toMatch(/\.jpg$/);
    expect(body.photos.map((url) => url.split('.').at(-1))).toEqual(['webp', 'gif', 'png']);
    expect((await stored()).filter((file) => file.startsWith(at.shop.id))).toHaveLength(5);

    const image = await fetch(String(body.photos[2]));
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await image.arrayBuffer()).equals(png(5000))).toBe(true);
  });

  test('an iv_id is enough here too, and empty inputs of a browser count as left out', async () => {
    const form = formOf({ iv_id: 'F-2', location: '', status: '', active: '', email: '' });
    form.append('hero_image', new Blob([]), '');
    form.append('photos', new Blob([]), '');
    const reply = await at.client.createByForm(form);
    expect(reply.status).toBe(201);
    expect((await at.client.get('F-2')).body).toMatchObject({
      active: true,
      status: 'New',
      location: null,
      photos: [],
    });
  });

  test('text after the files, brackets behind the name, JSON parts', async () => {
    const form = new FormData();
    form.append('photos[]', new Blob([png()]), 'a.png');
    form.append('photos[]', new Blob([png()]), 'b.png');
    form.append('iv_id', 'F-3');
    const boundary = 'edge';
    const raw = [
      `--${boundary}\r\ncontent-disposition: form-data; name="location"\r\ncontent-type: application/json\r\n\r\n{"lat":1,"lon":2}\r\n`,
      `--${boundary}\r\ncontent-disposition: form-data; name="active"\r\ncontent-type: application/json\r\n\r\nfalse\r\n`,
      `--${boundary}\r\ncontent-disposition: form-data; name="iv_id"\r\n\r\nF-4\r\n--${boundary}--\r\n`,
    ].join('');
    expect((await at.client.createByForm(form)).status).toBe(201);
    expect((await at.client.get('F-3')).body.photos).toHaveLength(2);
    expect((await at.client.createRaw(raw, `multipart/form-data; boundary=${boundary}`)).status).toBe(201);
    expect((await at.client.get('F-4')).body).toMatchObject({ location: { lat: 1, lon: 2 }, active: false });
  });

  test('a file of exactly 10 MB, and more of them than a JSON body may weigh', async () => {
    const full = png(MAX_UPLOAD_BYTES);
    const reply = await at.client.createByForm({ iv_id: 'F-5', hero_image: full, photos: [full, full, full] });
    expect(reply.status).toBe(201);
    expect((await at.client.get('F-5')).body.photos).toHaveLength(3);
  });

  test('twenty photos', async () => {
    const reply = await at.client.createByForm({ iv_id: 'F-6', photos: Array.from({ length: 20 }, () => png()) });
    expect(reply.status).toBe(201);
    expect((await at.client.get('F-6')).body.photos).toHaveLength(20);
  });

  test('a repeat with the same Idempotency-Key keeps the first files and no others', async () => {
    const headers = { 'idempotency-key': 'form-1' };
    const parts = { iv_id: 'F-7', hero_image: png(300) };
    const first = await at.client.createByForm(parts, headers);
    const files = await stored();
    const again = await at.client.createByForm(parts, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-hit')).toBe('true');
    expect(await stored()).toEqual(files);
    const otherImage = await at.client.createByForm({ ...parts, hero_image: png(301) }, headers);
    expect(otherImage.status).toBe(422);
    const otherField = await at.client.createByForm({ ...parts, name_en: 'x' }, headers);
    expect(otherField.status).toBe(422);
    expect(await stored()).toEqual(files);
  });

  test('ten at once with one Idempotency-Key: one branch, one file', async () => {
    const before = (await stored()).length;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        at.client.createByForm({ iv_id: 'F-8', hero_image: png(400) }, { 'idempotency-key': 'form-2' }),
      ),
    );
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect(await stored()).toHaveLength(before + 1);
  });
});

describe('refused, and no file stays behind', () => {
  const pdf = Buffer.from('%PDF-1.7\nhello');
  const ok = { iv_id: 'R-1', hero_image: png() };
  test.each<[string, FormParts, Record<string, unknown>]>([
    ['no iv_id', { hero_image: png() }, { iv_id: 'is required' }],
    ['empty iv_id', { iv_id: '', hero_image: png() }, { iv_id: 'must not be empty' }],
    ['bad active', { ...ok, active: 'yes' }, { active: expect.stringContaining('must be a boolean') }],
    ['bad status', { ...ok, status: 'Open' }, { status: expect.stringContaining('must be one of') }],
    ['location no JSON', { ...ok, location: '24.7,46.6' }, { location: 'must be JSON text' }],
    ['location wrong', { ...ok, location: '{"lat":"x","lon":1}' }, { 'location.lat': expect.any(String) }],
    ['location with NUL', { ...ok, location: '{"lat":1,"lon":1,"city":"\\u0000"}' }, { location: 'must be JSON text' }],
    ['hours no JSON', { ...ok, working_hours: '{' }, { working_hours: 'must be JSON text' }],
    [
      'deep JSON',
      { ...ok, working_hours: '['.repeat(5000) + ']'.repeat(5000) },
      { working_hours: 'must be JSON text' },
    ],
    ['bad hours', { ...ok, working_hours: '{"sunday":{}}' }, { 'working_hours.sunday': expect.any(String) }],
    ['text with NUL', { ...ok, name_en: 'a\u0000b' }, { name_en: 'cannot be stored' }],
    ['text too long', { ...ok, name_en: 'x'.repeat(256) }, { name_en: expect.stringContaining('at most 255') }],
    ['huge text', { ...ok, name_en: 'x'.repeat(300_000) }, { name_en: 'must be at most 262144 bytes' }],
    ['image of another kind', { ...ok, banner_image: pdf }, { banner_image: expect.stringContaining('must be') }],
    ['image that is text', { ...ok, banner_image: 'picture.png' }, { banner_image: 'must be a file' }],
    ['a script that says GIF', { ...ok, photos: [Buffer.from('GIF89a<script>')] }, { photos: expect.any(String) }],
    ['an empty file', { ...ok, banner_image: Buffer.alloc(0) }, { banner_image: 'The file is empty' }],
    ['two heroes', { iv_id: 'R-1', hero_image: [png(), png()] }, { hero_image: 'only one file is allowed' }],
    [
      '21 photos',
      { ...ok, photos: Array.from({ length: 21 }, () => png()) },
      { photos: 'at most 20 files are allowed' },
    ],
    [
      'one byte over 10 MB',
      { ...ok, photos: [png(), png(MAX_UPLOAD_BYTES + 1), png()] },
      { photos: `The file is larger than ${MAX_UPLOAD_BYTES} bytes` },
    ],
    [
      'several at once',
      { hero_image: pdf, status: 'x', photos: [png()] },
      { hero_image: expect.any(String), iv_id: 'is required', status: expect.any(String) },
    ],
  ])('%s', async (_name, parts, details) => {
    const before = await stored();
    const reply = await at.client.createByForm(parts);
    expect(reply.body).toEqual({ code: 400, error: 'Validation failed', details });
    expect(reply.status).toBe(400);
    expect(await stored()).toEqual(before);
    expect((await at.client.get('R-1')).status).toBe(404);
  });

  test('a field sent twice', async () => {
    const form = formOf({ iv_id: 'R-1', hero_image: png() });
    form.append('iv_id', 'R-2');
    const before = await stored();
    const reply = await at.client.createByForm(form);
    expect(reply).toMatchObject({ status: 400, body: { details: { iv_id: 'was sent more than once' } } });
    expect(await stored()).toEqual(before);
  });

  test('a taken iv_id', async () => {
    await at.client.createByForm({ iv_id: 'R-3', hero_image: png() });
    const before = await stored();
    const reply = await at.client.createByForm({ iv_id: 'R-3', hero_image: png(), photos: [png(), png()] });
    expect(reply).toMatchObject({ status: 409, body: { details: { iv_id: 'R-3' } } });
    expect(await stored()).toEqual(before);
  });

  test('many clients with one iv_id: only the winner has files', async () => {
    const before = (await stored()).length;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => at.client.createByForm({ iv_id: 'R-4', hero_image: png(), photos: [png()] })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await stored()).toHaveLength(before + 2);
  });

  test.each([
    ['fails', `raise exception 'broken'`, 500],
    ['loses its connection', 'perform pg_terminate_backend(pg_backend_pid())', 503],
  ])('a transaction that %s at its very end', async (_name, fault, status) => {
    await service.sql.unsafe(`
      create function break_commit() returns trigger language plpgsql as $$ begin ${fault}; return null; end $$;
      create constraint trigger break_commit after insert on branches deferrable initially deferred
        for each row when (new.iv_id = 'R-5') execute function break_commit()`);
    const before = await stored();
    const reply = await at.client.createByForm({ iv_id: 'R-5', hero_image: png(), photos: [png()] });
    await service.sql.unsafe('drop trigger break_commit on branches; drop function break_commit()');
    expect(reply.status).toBe(status);
    expect(await stored()).toEqual(before);
    expect((await at.client.get('R-5')).status).toBe(404);
  });

  test('a form for a branch that is not there, or for another iv_id', async () => {
    await at.client.createByForm({ iv_id: 'R-6' });
    const before = await stored();
    expect((await at.client.changeByForm('NONE', { hero_image: png() })).status).toBe(404);
    const reply = await at.client.changeByForm('R-6', { iv_id: 'R-7', hero_image: png() });
    expect(reply).toMatchObject({ status: 400, body: { details: { iv_id: 'cannot be changed' } } });
    expect(await stored()).toEqual(before);
  });
});
