import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { FORMULAS } from '../../platform/csv/testing/formulas.ts';
import { newId } from '../../platform/ids.ts';
import { defaults, full, testProductShop } from './testing/product-shop.ts';

const { service, shop, neighbour, viewer, confined, brandId, categoryId, asOwner, as, createProduct } =
  await testProductShop();

describe('GET /products/code/{ivId}', () => {
  it('returns 200 to callers who may read, with any characters in the iv_id', async () => {
    const ivId = 'a/b?c=%25 &ط';
    await asOwner('POST /products', { iv_id: ivId });
    for (const account of [shop.owner, viewer, confined]) {
      const { status, body } = await as(account, `GET /products/code/${encodeURIComponent(ivId)}`);
      expect(status).toBe(200);
      expect(body.iv_id).toBe(ivId);
    }
  });

  it('gives each of many readers at once their own product', async () => {
    const ivIds = await Promise.all(Array.from({ length: 12 }, () => createProduct()));
    const wanted = Array.from({ length: 120 }, (_, index) => ivIds[index % 13] ?? 'nobody');
    const replies = await Promise.all(wanted.map((ivId) => asOwner(`GET /products/code/${ivId}`)));
    expect(replies.map(({ status, body }) => (status === 200 ? body.iv_id : 'nobody'))).toEqual(wanted);
  });

  it('404 for one that is unknown, another organization has, or was deleted', async () => {
    await as(neighbour.owner, 'POST /products', { iv_id: 'THEIRS' });
    const deleted = await createProduct();
    await asOwner(`DELETE /products/code/${deleted}?force=true`);
    for (const ivId of ['UNKNOWN', 'THEIRS', deleted, 'x'.repeat(60)]) {
      const { status, body } = await asOwner(`GET /products/code/${ivId}`);
      expect(status).toBe(404);
      expect(body).toEqual({ code: 404, error: 'Product not found', details: { iv_id: ivId } });
    }
  });

  it('401 without a token', async () => {
    expect((await call(service.baseUrl, 'GET /products/code/P-1')).status).toBe(401);
  });
});

describe('PUT /products/code/{ivId}', () => {
  it('200 replaces every field; what is absent returns to its default and created stays', async () => {
    const ivId = await createProduct({ ...full, barcode: 'its-own', brand_id: brandId, category_id: categoryId });
    const before = (await asOwner(`GET /products/code/${ivId}`)).body;
    const replaced = await asOwner(`PUT /products/code/${ivId}`, { iv_id: ivId, name_en: 'New name', name_ar: null });
    expect(replaced.status).toBe(200);
    expect(replaced.body).toMatchObject({ success: true, message: 'Product updated', timestamp: expect.any(String) });
    const after = (await asOwner(`GET /products/code/${ivId}`)).body;
    expect(replaced.body.data).toEqual(after);
    expect(after).toEqual({ ...before, ...defaults, name_en: 'New name', updated: after.updated });
    expect(Date.parse(after.updated)).toBeGreaterThan(Date.parse(before.updated));
  });

  it('200 leaves the SKUs as they are', async () => {
    const ivId = await createProduct();
    const read = () => service.sql`
      select id, iv_id from skus where organization_id = ${shop.id} and iv_id like ${`${ivId}\\_%`} order by id`;
    const before = await read();
    await asOwner(`PUT /products/code/${ivId}`, { name_en: 'Renamed' });
    expect([...(await read())]).toEqual([...before]);
  });

  it('404 for an unknown product', async () => {
    const { status, body } = await asOwner('PUT /products/code/UNKNOWN', { name_en: 'x' });
    expect(status).toBe(404);
    expect(body).toEqual({ code: 404, error: 'Product not found', details: { iv_id: 'UNKNOWN' } });
  });

  it('409 for a barcode that another has, 200 for its own', async () => {
    await createProduct({ barcode: '700-1' });
    const ivId = await createProduct({ barcode: '700-2' });
    const { status, body } = await asOwner(`PUT /products/code/${ivId}`, { barcode: '700-1' });
    expect(status).toBe(409);
    expect(body).toEqual({ code: 409, error: 'Duplicate barcode', details: { barcode: '700-1' } });
    expect((await asOwner(`PUT /products/code/${ivId}`, { barcode: '700-2' })).status).toBe(200);
  });

  it('422 for another iv_id, wrong fields and unknown references', async () => {
    const ivId = await createProduct(full);
    const refused = [
      [{ iv_id: 'OTHER' }, { iv_id: 'cannot be changed' }],
      [{ vat_value: 200 }, { vat_value: 'must be at most 100' }],
      [{ brand_id: newId() }, { brand_id: 'does not exist' }],
    ] as const;
    for (const [given, details] of refused) {
      const { status, body } = await asOwner(`PUT /products/code/${ivId}`, given);
      expect(status).toBe(422);
      expect(body).toEqual({ code: 422, error: 'Validation failed', details });
    }
    expect((await asOwner(`GET /products/code/${ivId}`)).body).toMatchObject(full);
  });

  it('403 for a viewer and for an account confined to a branch', async () => {
    const ivId = await createProduct();
    expect((await as(viewer, `PUT /products/code/${ivId}`, {})).status).toBe(403);
    expect((await as(confined, `PUT /products/code/${ivId}`, {})).status).toBe(403);
  });
});

describe('PATCH /products/code/{ivId}', () => {
  it('changes the fields that are given and keeps the others', async () => {
    const ivId = await createProduct({ ...full, barcode: 'patched' });
    const before = (await asOwner(`GET /products/code/${ivId}`)).body;
    const { status, body } = await asOwner(`PATCH /products/code/${ivId}`, { average_price: 7.5, generic_id: null });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, average_price: 7.5, generic_id: '', updated: body.data.updated });
    expect((await asOwner(`PATCH /products/code/${ivId}`, { iv_id: 'OTHER' })).status).toBe(422);
    expect((await asOwner('PATCH /products/code/UNKNOWN', {})).status).toBe(404);
    expect((await as(viewer, `PATCH /products/code/${ivId}`, {})).status).toBe(403);
  });

  it('returns 412 with the current version when If-Match names an earlier one', async () => {
    const ivId = await createProduct({ name_en: 'Dates' });
    const read = await asOwner(`GET /products/code/${ivId}`);
    const etag = String(read.headers.get('etag'));
    expect(etag).toBe(`"${read.body.updated}"`);
    const change = (method: string, ifMatch: string, body: object) =>
      call(service.baseUrl, `${method} /products/code/${ivId}`, {
        token: shop.owner.token,
        headers: { 'if-match': ifMatch },
        body,
      });
    const first = await change('PATCH', etag, { name_en: 'Ajwa dates' });
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).toBe(`"${first.body.data.updated}"`);
    for (const method of ['PATCH', 'PUT']) {
      const second = await change(method, etag, { average_price: 5 });
      expect(second.status).toBe(412);
      expect(second.headers.get('x-error-reason')).toBe('precondition-failed');
      expect(second.body.details.current).toEqual(first.body.data);
    }
    const current = String(first.headers.get('etag'));
    // A proxy that compresses answers weakens their tags.
    expect((await change('PATCH', `"other", W/${current}`, { average_price: 5 })).status).toBe(200);
    expect((await change('PUT', '*', { name_en: 'Last' })).status).toBe(200);
  });

  it('lets one of several concurrent changes of the same version succeed', async () => {
    const ivId = await createProduct();
    const headers = { 'if-match': String((await asOwner(`GET /products/code/${ivId}`)).headers.get('etag')) };
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        call(service.baseUrl, `PATCH /products/code/${ivId}`, {
          token: shop.owner.token,
          headers,
          body: { average_price: index + 1 },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });
});

describe('DELETE /products/code/{ivId}', () => {
  it('409 while it has SKUs, saying how many; 204 when forced, and they are gone', async () => {
    const ivId = await createProduct({ barcode: '800-1' });
    const refused = await asOwner(`DELETE /products/code/${ivId}`);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({ code: 409, error: 'Product has SKUs', details: { iv_id: ivId, skus: 2 } });
    expect((await asOwner(`DELETE /products/code/${ivId}?force=false`)).status).toBe(409);

    const forced = await asOwner(`DELETE /products/code/${ivId}?force=true`);
    expect(forced.status).toBe(204);
    expect(forced.text).toBe('');
    expect(
      await service.sql`select from skus where organization_id = ${shop.id} and iv_id like ${`${ivId}\\_%`}`,
    ).toEqual(expect.objectContaining({ count: 0 }));
    expect((await asOwner(`DELETE /products/code/${ivId}?force=true`)).status).toBe(404);
  });

  it('204 without force when there are no branches', async () => {
    await as(neighbour.owner, 'POST /products', { iv_id: 'NO-SKUS' });
    expect((await as(neighbour.owner, 'DELETE /products/code/NO-SKUS')).status).toBe(204);
  });

  it('frees its iv_id and barcode, and keeps the row as deleted', async () => {
    const ivId = await createProduct({ barcode: '800-2' });
    const { body: old } = await asOwner(`GET /products/code/${ivId}`);
    await asOwner(`DELETE /products/code/${ivId}?force=true`);
    const again = await asOwner('POST /products', { iv_id: ivId, barcode: '800-2' });
    expect(again.status).toBe(201);
    expect(again.body.data.id).not.toBe(old.id);
    const rows = await service.sql`
      select is_deleted from products where organization_id = ${shop.id} and iv_id = ${ivId} order by is_deleted`;
    expect(rows.map((row) => row.is_deleted)).toEqual([false, true]);
  });

  it('400 for a force that is neither true nor false', async () => {
    const { status, body } = await asOwner('DELETE /products/code/P-1?force=maybe');
    expect(status).toBe(400);
    expect(body.details).toEqual({ force: 'must be a boolean' });
  });

  it('403 for a viewer and for an account confined to a branch', async () => {
    const ivId = await createProduct();
    expect((await as(viewer, `DELETE /products/code/${ivId}`)).status).toBe(403);
    expect((await as(confined, `DELETE /products/code/${ivId}?force=true`)).status).toBe(403);
    expect((await as(neighbour.owner, `DELETE /products/code/${ivId}?force=true`)).status).toBe(404);
    expect((await asOwner(`GET /products/code/${ivId}`)).status).toBe(200);
  });
});

describe('GET /products/export', () => {
  type Row = Record<string, string>;
  const download = async (query = '', account: { token: string } = shop.owner) => {
    const reply = await as(account, `GET /products/export${query}`);
    const rows = reply.status === 200 ? (parse(reply.text, { bom: true, columns: true }) as Row[]) : [];
    return { ...reply, rows };
  };

  it('returns the products of the filter in the order of the sort, as CSV for spreadsheets', async () => {
    await createProduct({ ...full, name_en: 'Export "one", first', brand_id: brandId, average_price: 4.75 });
    await createProduct({ name_en: 'Export two', average_price: 0.5, is_enabled: true });
    const reply = await download('?search=export&sort=average_price');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="products-\d{4}-\d\d-\d\d\.csv"$/);
    expect(reply.headers.get('x-truncated')).toBe('false');
    const raw = await fetch(`${service.baseUrl}/api/v1/products/export`, {
      headers: { authorization: `Bearer ${shop.owner.token}` },
    });
    const bytes = Buffer.from(await raw.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.toString('utf8', 3)).toMatch(/^iv_id,name_en,name_ar,average_price,/);
    expect(reply.rows).toMatchObject([
      { name_en: 'Export two', average_price: '0.5', is_enabled: 'true', brand_id: '', images: '' },
      { name_en: 'Export "one", first', average_price: '4.75', is_enabled: 'false', brand_id: brandId },
    ]);
    expect((await download(`?search=export&is_enabled=false`)).rows).toHaveLength(1);
  });

  it('prefixes text that a spreadsheet would evaluate with an apostrophe', async () => {
    for (const text of FORMULAS) await createProduct({ name_ar: text, generic_id: 'formula', name_en: 'Formula' });
    const { rows } = await download('?search=formula&sort=created');
    expect(rows.map(({ name_ar }) => name_ar)).toEqual(FORMULAS.map((text) => `'${text}`));
  });

  it('stops at 5,000 rows and sets X-Truncated', async () => {
    const insert = (count: number, start: number) => service.sql`
      insert into products (organization_id, id, iv_id, created, updated)
      select ${neighbour.id}, gen_random_uuid(), 'E-' || n, now(), now()
      from generate_series(${start}::int, ${start + count - 1}::int) n`;
    const { rows } = await download('', neighbour.owner);
    await insert(5000 - rows.length, 1);
    const whole = await download('', neighbour.owner);
    expect([whole.rows.length, whole.headers.get('x-truncated')]).toEqual([5000, 'false']);
    await insert(1, 5001);
    const cut = await download('?sort=iv_id', neighbour.owner);
    expect([cut.rows.length, cut.headers.get('x-truncated')]).toEqual([5000, 'true']);
    expect(new Set(cut.rows.map(({ iv_id }) => iv_id)).size).toBe(5000);
  });

  it('returns 400 for an invalid query, 401 without a token and 403 without the export grant', async () => {
    for (const query of ['?sort=sideways', '?brand_id=x', '?is_enabled=maybe']) {
      expect((await download(query)).status, query).toBe(400);
    }
    expect((await call(service.baseUrl, 'GET /products/export')).status).toBe(401);
    expect((await download('', viewer)).status).toBe(403);
  });
});
