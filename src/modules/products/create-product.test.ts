import { describe, expect, it } from 'vitest';
import { call, testOrganization } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { defaults, full, testProductShop } from './testing/product-shop.ts';

const { service, shop, neighbour, viewer, confined, brandId, categoryId, asOwner, as, createGroup, createProduct } =
  await testProductShop();

describe('POST /products', () => {
  describe('201', () => {
    it('answers with the new ids and keeps every field', async () => {
      const given = { iv_id: 'FULL-1', ...full, barcode: '6281', brand_id: brandId, category_id: categoryId };
      const created = await asOwner('POST /products', given);
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        success: true,
        message: 'Product created',
        data: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), iv_id: 'FULL-1' },
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      const { body } = await asOwner('GET /products/code/FULL-1');
      expect(body).toEqual({
        ...given,
        id: created.body.data.id,
        organization_id: shop.id,
        is_deleted: false,
        images: [],
        created: expect.any(String),
        updated: body.created,
      });
      expect(Object.keys(body)).toEqual([
        ...['id', 'iv_id', 'organization_id', 'name_en', 'name_ar', 'average_price', 'vat_value', 'barcode'],
        ...['brand_id', 'category_id', 'generic_id', 'is_enabled', 'is_deleted', 'images', 'created', 'updated'],
      ]);
    });

    it('needs nothing but iv_id; null and absent mean the default, unknown fields nothing', async () => {
      const nothing = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
      await asOwner('POST /products', { iv_id: 'BARE-1' });
      await asOwner('POST /products', { iv_id: 'BARE-2', ...nothing, barcode: null, brand_id: null, colour: 'red' });
      for (const ivId of ['BARE-1', 'BARE-2']) {
        const { body } = await asOwner(`GET /products/code/${ivId}`);
        expect(body).toMatchObject({ iv_id: ivId, ...defaults });
        expect(body).not.toHaveProperty('colour');
      }
    });

    it('generates one SKU for every branch', async () => {
      const ivId = await createProduct();
      const skus = await service.sql`
        select iv_id from skus where organization_id = ${shop.id} and iv_id like ${`${ivId}\\_%`} order by iv_id`;
      expect(skus.map((sku) => sku.iv_id)).toEqual([`${ivId}_JED-1`, `${ivId}_RUH-1`]);
    });

    it('takes what is at the limits', async () => {
      const given = {
        iv_id: 'ء'.repeat(50),
        name_en: 'e'.repeat(255),
        name_ar: 'ع'.repeat(255),
        barcode: '7'.repeat(50),
        average_price: 0.0000001,
        vat_value: 100,
      };
      expect((await asOwner('POST /products', given)).status).toBe(201);
      const { body } = await asOwner(`GET /products/code/${encodeURIComponent(given.iv_id)}`);
      expect(body).toMatchObject(given);
    });

    it('gives the same iv_id to different organizations', async () => {
      const ivId = await createProduct({ barcode: 'shared' });
      expect((await as(neighbour.owner, 'POST /products', { iv_id: ivId, barcode: 'shared' })).status).toBe(201);
    });

    it('answers a repeated Idempotency-Key with the first answer', async () => {
      const headers = { 'idempotency-key': 'create-once' };
      const first = await asOwner('POST /products', { iv_id: 'ONCE-1' }, headers);
      const second = await asOwner('POST /products', { iv_id: 'ONCE-1' }, headers);
      expect(second.status).toBe(201);
      expect(second.headers.get('idempotency-hit')).toBe('true');
      expect(second.text).toBe(first.text);
    });
  });

  describe('409', () => {
    it('when the iv_id is taken', async () => {
      const ivId = await createProduct();
      const { status, body } = await asOwner('POST /products', { iv_id: ivId });
      expect(status).toBe(409);
      expect(body).toEqual({ code: 409, error: 'Product iv_id already exists', details: { iv_id: ivId } });
    });

    it('when the barcode is taken', async () => {
      await createProduct({ barcode: '600100' });
      const { status, body } = await asOwner('POST /products', { iv_id: 'B-2', barcode: '600100' });
      expect(status).toBe(409);
      expect(body).toEqual({ code: 409, error: 'Duplicate barcode', details: { barcode: '600100' } });
    });

    it('when an SKU would be spelled like that of another pair', async () => {
      const { owner } = await testOrganization(service.sql);
      await as(owner, 'POST /branches', { iv_id: 'c' });
      await as(owner, 'POST /branches', { iv_id: 'b_c' });
      expect((await as(owner, 'POST /products', { iv_id: 'a' })).status).toBe(201);
      const { status, body } = await as(owner, 'POST /products', { iv_id: 'a_b' });
      expect(status).toBe(409);
      expect(body.details).toEqual({ iv_id: 'a_b', sku_iv_id: 'a_b_c' });
    });
  });

  describe('422', () => {
    it.each([
      ['iv_id missing', { iv_id: undefined }, { iv_id: 'is required' }],
      ['iv_id empty', { iv_id: '' }, { iv_id: 'must not be empty' }],
      ['iv_id blank', { iv_id: '  ' }, { iv_id: 'must not be blank' }],
      ['iv_id long', { iv_id: 'x'.repeat(51) }, { iv_id: 'must have at most 50 characters' }],
      ['iv_id a number', { iv_id: 7 }, { iv_id: 'must be a string' }],
      ['iv_id null', { iv_id: null }, { iv_id: 'must be a string' }],
      ['name_en long', { name_en: 'x'.repeat(256) }, { name_en: 'must have at most 255 characters' }],
      ['name_ar long', { name_ar: 'ع'.repeat(256) }, { name_ar: 'must have at most 255 characters' }],
      ['barcode long', { barcode: '1'.repeat(51) }, { barcode: 'must have at most 50 characters' }],
      ['price negative', { average_price: -0.01 }, { average_price: 'must be at least 0' }],
      ['price absurd', { average_price: 1e300 }, { average_price: 'must be at most 1000000000000' }],
      ['price as text', { average_price: '5' }, { average_price: 'must be a number or null' }],
      ['VAT over 100', { vat_value: 100.5 }, { vat_value: 'must be at most 100' }],
      ['VAT negative', { vat_value: -1 }, { vat_value: 'must be at least 0' }],
      ['flag as text', { is_enabled: 'yes' }, { is_enabled: 'must be a boolean or null' }],
      ['unknown brand', { brand_id: newId() }, { brand_id: 'does not exist' }],
      ['brand that is no id', { brand_id: 'almarai' }, { brand_id: 'does not exist' }],
      ['brand empty', { brand_id: '' }, { brand_id: 'does not exist' }],
      ['unknown category', { category_id: newId() }, { category_id: 'does not exist' }],
      [
        'several at once',
        { vat_value: 101, name_en: 5 },
        { vat_value: 'must be at most 100', name_en: 'must be a string or null' },
      ],
      [
        'both references',
        { brand_id: 'x', category_id: 'y' },
        { brand_id: 'does not exist', category_id: 'does not exist' },
      ],
    ])('%s', async (_name, fields, details) => {
      const { status, body } = await asOwner('POST /products', { iv_id: 'BAD-1', ...fields });
      expect(status).toBe(422);
      expect(body).toEqual({ code: 422, error: 'Validation failed', details });
      expect((await asOwner('GET /products/code/BAD-1')).status).toBe(404);
    });

    it("another organization's brand", async () => {
      const foreign = await createGroup('brands', neighbour.owner);
      const { status, body } = await asOwner('POST /products', { iv_id: 'BAD-2', brand_id: foreign });
      expect(status).toBe(422);
      expect(body.details).toEqual({ brand_id: 'does not exist' });
    });
  });

  it('400 for a body that is not an object in JSON', async () => {
    const raw = await call(service.baseUrl, 'POST /products', {
      token: shop.owner.token,
      raw: '{"iv_id":',
      headers: { 'content-type': 'application/json' },
    });
    expect(raw.status).toBe(400);
    expect((await asOwner('POST /products', [{ iv_id: 'x' }])).status).toBe(422);
  });

  it('403 for a viewer and for an account confined to a branch', async () => {
    expect((await as(viewer, 'POST /products', { iv_id: 'V-1' })).status).toBe(403);
    expect((await as(confined, 'POST /products', { iv_id: 'V-1' })).status).toBe(403);
  });
});
