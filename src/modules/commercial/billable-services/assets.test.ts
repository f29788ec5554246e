import { describe, expect, it } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { formOf, jpeg, listStoredFiles, png } from '../../branches/testing/images.ts';
import { BASE, startBillableServices } from './testing/start-billable-services.ts';

const { service, operator, ask, asked, newService, auditOf } = await startBillableServices();
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');

describe('assets', () => {
  const add = (id: string, raw: FormData, headers: Record<string, string> = {}) =>
    asked(`POST ${BASE}/${id}/assets`, { raw, headers });

  it('are stored, listed, downloaded by operators only and removed with their files', async () => {
    const { id } = await newService();
    const before = await listStoredFiles(service.dataDir);
    const added = await add(id, formOf({ file: png(), name: 'شعار.png' }));
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'شعار.png',
        content_type: 'image/png',
        size_bytes: 100,
        created: expect.any(String),
        url: `/api/v1${BASE}/${id}/assets/${added.body.id}`,
      },
    ]);
    const second = await add(id, formOf({ file: PDF }));
    expect(second.body).toMatchObject({ name: 'picture.png', content_type: 'application/pdf' });
    const { body } = await asked(`GET ${BASE}`);
    const listed = body.items.find((one: { id: string }) => one.id === id);
    expect(listed.assets).toEqual([added.body, second.body]);

    const fetched = await fetch(service.baseUrl + added.body.url, {
      headers: { authorization: `Bearer ${operator.token}` },
    });
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(png());
    const { headers } = fetched;
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''%D8%B4%D8%B9");
    expect((await ask(`GET ${added.body.url}`)).status).toBe(403);
    expect((await fetch(service.baseUrl + added.body.url)).status).toBe(401);

    const stored = (await listStoredFiles(service.dataDir)).filter((file) => !before.includes(file));
    expect(stored).toHaveLength(2);
    // The public URL of files returns 404 for them, also with the right name.
    for (const file of stored) expect((await ask(`GET /files/${file}`)).status).toBe(404);

    const removed = await asked(`DELETE ${added.body.url.replace('/api/v1', '')}`);
    expect([removed.status, removed.body]).toEqual([200, added.body]);
    expect((await asked(`GET ${added.body.url}`)).status).toBe(404);
    expect((await asked(`DELETE ${added.body.url}`)).status).toBe(404);
    expect(await listStoredFiles(service.dataDir)).toHaveLength(before.length + 1);
    expect((await auditOf(id)).map((entry) => entry.changed_fields)).toEqual([[], ['assets'], ['assets'], ['assets']]);
  });

  it('leave no file behind when they are rejected', async () => {
    const { id } = await newService();
    const before = await listStoredFiles(service.dataDir);
    const tooLarge = await add(id, formOf({ file: jpeg(10 * 1024 * 1024 + 1) }));
    expect([tooLarge.status, tooLarge.body.details]).toEqual([400, { file: 'The file is larger than 10485760 bytes' }]);
    const two = await add(id, formOf({ file: [png(), png()] }));
    expect([two.status, two.body.details]).toEqual([400, { file: 'only one file is allowed' }]);
    for (const [form, details] of [
      [formOf({ file: Buffer.from('<html>') }), { file: 'The file must be pdf, jpg, png, webp or gif' }],
      [formOf({ file: Buffer.alloc(0) }), { file: 'The file is empty' }],
      [formOf({ name: 'x' }), { file: 'is required' }],
      [formOf({ file: 'some text' }), { file: 'must be a file' }],
      [formOf({ file: png(), name: 'x'.repeat(201) }), { name: 'must have at most 200 characters' }],
    ] as const) {
      const { status, body } = await add(id, form);
      expect([status, body.details]).toEqual([422, details]);
    }
    expect((await asked(`POST ${BASE}/${id}/assets`, { body: { file: 'x' } })).status).toBe(422);
    expect((await asked(`POST ${BASE}/${id}/assets`)).status).toBe(422);
    for (const nowhere of [newId(), 'nonsense']) {
      expect((await add(nowhere, formOf({ file: png() }))).body.error).toBe('Service not found');
    }
    expect(await listStoredFiles(service.dataDir)).toEqual(before);
  });

  it('are limited to twenty under concurrency, and a repeated idempotency key adds one', async () => {
    const { id } = await newService();
    const before = (await listStoredFiles(service.dataDir)).length;
    const key = { 'idempotency-key': newId() };
    const repeated = await Promise.all(Array.from({ length: 3 }, () => add(id, formOf({ file: png() }), key)));
    expect(new Set(repeated.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const many = await Promise.all(Array.from({ length: 21 }, () => add(id, formOf({ file: png() }))));
    expect(many.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(201), 409, 409]);
    expect(many.find(({ status }) => status === 409)?.body).toMatchObject({
      error: 'Too many assets',
      details: { limit: 20 },
    });
    expect(await listStoredFiles(service.dataDir)).toHaveLength(before + 20);
  });
});
