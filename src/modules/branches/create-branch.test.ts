import { describe, expect, test } from 'vitest';
import { testAccount, testOrganization, testShop } from '../../../test/harness/index.ts';
import { addProducts, listSkuIvIds, totalOf } from './testing/catalog.ts';
import { branchClient } from './testing/client.ts';

const { service, shop } = await testShop();
const as = (token: string) => branchClient(service.baseUrl, token);
const create = (body: unknown, token = shop.owner.token, headers?: Record<string, string>) =>
  as(token).create(body, headers);
const get = (ivId: string, token = shop.owner.token) => as(token).get(ivId);

describe('201', () => {
  test('an iv_id alone makes a branch with every default', async () => {
    const reply = await create({ iv_id: 'MIN-1' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      success: true,
      message: 'Branch created',
      data: { id: expect.any(String), iv_id: 'MIN-1', skus_generated: 0 },
      timestamp: expect.stringMatching(/Z$/),
    });
    const branch = await get('MIN-1');
    expect(branch.body).toEqual({
      id: reply.body.data.id,
      iv_id: 'MIN-1',
      organization_id: shop.id,
      name_en: '',
      name_ar: '',
      email: '',
      active: true,
      status: 'New',
      location: null,
      apple_maps_id: '',
      google_maps_id: '',
      working_hours: null,
      working_hours_periods: [],
      is_open: false,
      time_zone: null,
      hero_image: null,
      banner_image: null,
      photos: [],
      created: expect.any(String),
      updated: branch.body.created,
    });
  });

  test('every field comes back as it was sent', async () => {
    const working_hours = {
      sunday: { open: '09:00', close: '23:00' },
      friday: { periods: [{ open: '22:00', close: '02:00' }] },
      monday: { closed: true },
    };
    const sent = {
      iv_id: 'FULL/1 ٣ _x',
      name_en: 'Olaya branch',
      name_ar: 'فرع العليا 😀',
      email: 'olaya@example.com',
      active: false,
      status: 'Published',
      location: { lat: 24.7136, lon: 46.6753, city: 'الرياض' },
      apple_maps_id: 'I1',
      google_maps_id: 'G1',
      time_zone: 'Asia/Riyadh',
      working_hours,
      unknown_field: 'ignored',
    };
    expect((await create(sent)).status).toBe(201);
    const branch = await get('FULL/1 ٣ _x');
    const { unknown_field, ...kept } = sent;
    expect(branch.body).toMatchObject(kept);
    expect(Object.keys(Object(branch.body.working_hours))).toEqual(['sunday', 'friday', 'monday']);
    expect(branch.body.working_hours_periods).toEqual([
      { WeekDay: 'Sunday', OpenHour: 9, OpenMinute: 0, CloseHour: 23, CloseMinute: 0 },
      { WeekDay: 'Friday', OpenHour: 22, OpenMinute: 0, CloseHour: 2, CloseMinute: 0 },
    ]);
  });

  test('null is the same as absent, and the canonical array is kept as an array', async () => {
    const periods = [{ WeekDay: 'Saturday', OpenHour: 10, OpenMinute: 30, CloseHour: 24, CloseMinute: 0 }];
    const reply = await create({
      iv_id: 'NULLS',
      name_en: null,
      active: null,
      status: null,
      location: null,
      time_zone: null,
      email: null,
      working_hours: periods,
      hero_image: 'https://elsewhere.example/x.png',
      photos: ['https://elsewhere.example/y.png'],
    });
    expect(reply.status).toBe(201);
    expect((await get('NULLS')).body).toMatchObject({
      name_en: '',
      active: true,
      status: 'New',
      location: null,
      working_hours: periods,
      working_hours_periods: periods,
      hero_image: null,
      photos: [],
    });
  });

  test('characters are counted as code points', async () => {
    expect((await create({ iv_id: '😀'.repeat(50), name_ar: '😀'.repeat(255) })).status).toBe(201);
    expect((await create({ iv_id: '😀'.repeat(51) })).body.details).toEqual({
      iv_id: 'must have at most 50 characters',
    });
  });

  test('one SKU for every product that is not deleted', async () => {
    const other = await testOrganization(service.sql);
    await addProducts(service.sql, other.id, ['P1', 'P2', 'GONE']);
    await service.sql`update products set is_deleted = true where organization_id = ${other.id} and iv_id = 'GONE'`;
    const reply = await create({ iv_id: 'B1' }, other.owner.token);
    expect(reply.body.data.skus_generated).toBe(2);
    expect(await listSkuIvIds(service.sql, other.id)).toEqual(['P1_B1', 'P2_B1']);
    expect(await totalOf(service.sql, other.id, 'skus')).toBe(2);
  });

  test('a repeat with the same Idempotency-Key gets the first answer', async () => {
    const headers = { 'idempotency-key': 'create-branch-1' };
    const first = await create({ iv_id: 'IDEM-1', name_en: 'A' }, shop.owner.token, headers);
    const again = await create({ iv_id: 'IDEM-1', name_en: 'A' }, shop.owner.token, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-hit')).toBe('true');
    expect((await create({ iv_id: 'IDEM-1', name_en: 'B' }, shop.owner.token, headers)).status).toBe(422);
  });
});

describe('400', () => {
  const long = (count: number) => 'x'.repeat(count);
  const words: unknown = expect.any(String);
  const base = { iv_id: 'BAD' };
  test.each<[string, object, Record<string, unknown>]>([
    ['no iv_id', {}, { iv_id: 'is required' }],
    ['iv_id null', { iv_id: null }, { iv_id: 'must be a string' }],
    ['iv_id empty', { iv_id: '' }, { iv_id: 'must not be empty' }],
    ['iv_id blank', { iv_id: ' \t' }, { iv_id: 'must not be blank' }],
    ['iv_id a number', { iv_id: 5 }, { iv_id: 'must be a string' }],
    ['iv_id too long', { iv_id: long(51) }, { iv_id: 'must have at most 50 characters' }],
    ['name too long', { ...base, name_en: long(256) }, { name_en: 'must have at most 255 characters' }],
    ['name of another type', { ...base, name_ar: 5 }, { name_ar: expect.stringContaining('must be a string') }],
    ['active as text', { ...base, active: 'true' }, { active: expect.stringContaining('must be a boolean') }],
    [
      'unknown status',
      { ...base, status: 'Open' },
      { status: expect.stringMatching(/^must be one of New, .*Terminated$/) },
    ],
    ['bad email', { ...base, email: 'nobody' }, { email: 'must be an email address' }],
    ['unknown zone', { ...base, time_zone: 'Mars/Olympus' }, { time_zone: 'must be a time zone such as Asia/Riyadh' }],
    ['no lon', { ...base, location: { lat: 1 } }, { 'location.lon': 'is required' }],
    ['out of range', { ...base, location: { lat: 91, lon: -181 } }, { 'location.lat': words, 'location.lon': words }],
    ['location as text', { ...base, location: '{"lat":1,"lon":2}' }, { location: words }],
    ['long city', { ...base, location: { lat: 1, lon: 2, city: long(501) } }, { 'location.city': words }],
    ['hours as text', { ...base, working_hours: 'always' }, { working_hours: words }],
    [
      'bad times',
      { ...base, working_hours: { sunday: { open: '25:00', close: '26:00' } } },
      { 'working_hours.sunday.open': words, 'working_hours.sunday.close': words },
    ],
    [
      'hours with ballast',
      { ...base, working_hours: { sunday: { closed: true, x: long(40_000) } } },
      { working_hours: expect.stringMatching(/at most/) },
    ],
  ])('%s', async (_name, body, details) => {
    const reply = await create(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ code: 400, error: 'Validation failed', details });
    expect((await get('BAD')).status).toBe(404);
  });

  test('reports all invalid fields in one answer', async () => {
    const reply = await create({ iv_id: 'BAD', name_en: 1, location: {}, status: 'x', working_hours: { sun: {} } });
    expect(Object.keys(reply.body.details).sort()).toEqual([
      'location.lat',
      'location.lon',
      'name_en',
      'status',
      'working_hours.sun',
    ]);
  });

  test.each([['[]'], ['"text"'], ['5']])('a body that is no object: %s', async (raw) => {
    const reply = await as(shop.owner.token).createRaw(raw, 'application/json');
    expect(reply).toMatchObject({ status: 400, body: { details: { body: 'must be an object' } } });
  });

  test.each([
    ['application/json', '{'],
    ['application/json', 'null'],
    ['application/json', ''],
    ['text/plain', '{"iv_id":"X"}'],
    ['application/x-www-form-urlencoded', 'iv_id=X'],
  ])('%s with %j', async (type, raw) => {
    const reply = await as(shop.owner.token).createRaw(raw, type);
    expect(reply.status).toBe(400);
    expect(reply.body.code).toBe(400);
  });
});

describe('403', () => {
  test('a viewer, and an account confined to a branch', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await create({ iv_id: 'V' }, viewer.token)).status).toBe(403);
    const branch = (await create({ iv_id: 'CONFINED' })).body.data;
    const confined = await testAccount(service.sql, shop.id, 'owner', { branchId: branch.id });
    expect((await create({ iv_id: 'V' }, confined.token)).status).toBe(403);
  });
});

describe('409', () => {
  test('a taken iv_id, in this organization only', async () => {
    await create({ iv_id: 'TAKEN' });
    expect((await create({ iv_id: 'TAKEN' })).body).toEqual({
      code: 409,
      error: 'Branch iv_id already exists',
      details: { iv_id: 'TAKEN' },
    });
    const other = await testOrganization(service.sql);
    expect((await create({ iv_id: 'TAKEN' }, other.owner.token)).status).toBe(201);
  });

  test('twenty clients with one iv_id: one branch', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create({ iv_id: 'RACE' })));
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
  });

  test('an SKU iv_id that another pair spells already', async () => {
    const other = await testOrganization(service.sql);
    await addProducts(service.sql, other.id, ['a', 'a_b']);
    await create({ iv_id: 'c' }, other.owner.token);
    const reply = await create({ iv_id: 'b_c' }, other.owner.token);
    expect(reply.body).toEqual({
      code: 409,
      error: 'SKU iv_id already exists',
      details: { iv_id: 'b_c', sku_iv_id: 'a_b_c' },
    });
    expect((await get('b_c', other.owner.token)).status).toBe(404);
    expect(await totalOf(service.sql, other.id, 'branches')).toBe(1);
    expect(await listSkuIvIds(service.sql, other.id)).toEqual(['a_b_c', 'a_c']);
  });
});

test('branches and products added at the same moment leave no pair out', async () => {
  const other = await testOrganization(service.sql);
  await addProducts(service.sql, other.id, ['P-1', 'P-2', 'P-3']);
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => create({ iv_id: `B-${index}` }, other.owner.token)),
  );
  expect(replies.every((reply) => reply.status === 201)).toBe(true);
  expect((await listSkuIvIds(service.sql, other.id)).length).toBe(36);
  expect(await totalOf(service.sql, other.id, 'branches')).toBe(12);
});
