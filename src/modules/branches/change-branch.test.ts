import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { addProducts, listSkuIvIds, totalOf } from './testing/catalog.ts';
import { type BranchClient, branchClient } from './testing/client.ts';

const clock = movableClock(new Date('2026-11-15T07:00:00.000Z'));
let service: TestService;
let shop: TestOrganization;
let client: BranchClient;

const FULL = {
  iv_id: 'B-1',
  name_en: 'Olaya',
  name_ar: 'العليا',
  email: 'b1@example.com',
  active: false,
  status: 'Published',
  location: { lat: 24.7, lon: 46.6, city: 'Riyadh' },
  apple_maps_id: 'A',
  google_maps_id: 'G',
  time_zone: 'Europe/London',
  working_hours: { sunday: { open: '09:00', close: '17:00' } },
};

beforeAll(async () => {
  service = await testService({}, { clock });
});
beforeEach(async () => {
  shop = await testOrganization(service.sql);
  client = branchClient(service.baseUrl, shop.owner.token);
  await client.create(FULL);
  clock.advanceMs(5000);
});

describe('PUT /branches/{ivId}', () => {
  test('what is absent stays, and the answer is the whole branch', async () => {
    const before = (await client.get('B-1')).body;
    const reply = await client.change('B-1', { name_en: 'Olaya street', unknown: 1 });
    expect(reply).toMatchObject({ status: 200, body: { success: true, message: 'Branch updated' } });
    expect(reply.body.data).toEqual({ ...before, name_en: 'Olaya street', updated: clock.now().toISOString() });
    expect((await client.get('B-1')).body).toEqual(reply.body.data);
    expect((await client.list('?search=street')).body.total_count).toBe(1);
  });

  test('null clears to the default', async () => {
    const nulls = Object.fromEntries(Object.keys(FULL).map((field) => [field, null]));
    const { iv_id, ...cleared } = nulls;
    expect((await client.change('B-1', cleared)).body.data).toMatchObject({
      iv_id: 'B-1',
      name_en: '',
      name_ar: '',
      email: '',
      active: true,
      status: 'New',
      location: null,
      apple_maps_id: '',
      google_maps_id: '',
      time_zone: null,
      working_hours: null,
      working_hours_periods: [],
    });
  });

  test('a location is replaced as a whole', async () => {
    const { body } = await client.change('B-1', { location: { lat: 1, lon: 2 } });
    expect(body.data.location).toEqual({ lat: 1, lon: 2 });
  });

  test('its own answer can be sent back', async () => {
    const before = (await client.get('B-1')).body;
    const reply = await client.change('B-1', before);
    expect(reply.status).toBe(200);
    expect({ ...reply.body.data, updated: before.updated }).toEqual(before);
  });

  test('an empty body changes nothing but the time', async () => {
    const { created, updated, ...before } = (await client.get('B-1')).body;
    expect((await client.change('B-1', {})).body.data).toMatchObject({ ...before, created });
  });

  test.each<[string, unknown, Record<string, unknown>]>([
    ['another iv_id', { iv_id: 'B-2' }, { iv_id: 'cannot be changed' }],
    ['iv_id null', { iv_id: null }, { iv_id: 'cannot be changed' }],
    ['bad status', { status: 'Closed' }, { status: expect.any(String) }],
    ['bad hours', { working_hours: [{}] }, { 'working_hours.0.WeekDay': 'is required' }],
    ['no object', [], { body: 'must be an object' }],
  ])('400: %s', async (_name, body, details) => {
    const before = (await client.get('B-1')).body;
    const reply = await client.change('B-1', body);
    expect(reply.status).toBe(400);
    expect(reply.body.details).toMatchObject(details);
    expect((await client.get('B-1')).body).toEqual(before);
  });

  test('404: no such branch, or another organization has it', async () => {
    expect(await client.change('NONE', { name_en: 'x' })).toMatchObject({
      status: 404,
      body: { code: 404, error: 'Branch not found', details: { iv_id: 'NONE' } },
    });
    const other = await testOrganization(service.sql);
    const theirs = branchClient(service.baseUrl, other.owner.token);
    for (const reply of [
      await theirs.get('B-1'),
      await theirs.change('B-1', { name_en: 'x' }),
      await theirs.setHours('B-1', { working_hours: null }),
      await theirs.remove('B-1'),
    ]) {
      expect(reply.status).toBe(404);
    }
    expect((await client.get('B-1')).body.name_en).toBe('Olaya');
  });

  test('many changes at once each keep the others', async () => {
    const fields = ['name_en', 'name_ar', 'apple_maps_id', 'google_maps_id'] as const;
    await Promise.all(fields.map((field) => client.change('B-1', { [field]: `new ${field}` })));
    expect((await client.get('B-1')).body).toMatchObject(
      Object.fromEntries(fields.map((field) => [field, `new ${field}`])),
    );
  });
});

describe('PUT /branches/{ivId}/working-hours', () => {
  const periods = [
    { WeekDay: 'Monday', OpenHour: 9, OpenMinute: 0, CloseHour: 12, CloseMinute: 0 },
    { WeekDay: 'Monday', OpenHour: 16, OpenMinute: 0, CloseHour: 1, CloseMinute: 30 },
  ];

  test('both styles, and the periods of either', async () => {
    const array = await client.setHours('B-1', { working_hours: periods });
    expect(array).toMatchObject({ status: 200, body: { success: true, message: 'Working hours updated' } });
    expect(array.body.data).toMatchObject({ working_hours: periods, working_hours_periods: periods });
    expect(array.body.data.name_en).toBe('Olaya');
    const week = {
      monday: {
        periods: [
          { open: '09:00', close: '12:00' },
          { open: '16:00', close: '01:30' },
        ],
      },
    };
    const object = await client.setHours('B-1', { working_hours: week });
    expect(object.body.data).toMatchObject({ working_hours: week, working_hours_periods: periods });
    expect((await client.get('B-1')).body).toEqual(object.body.data);
  });

  test('null and an empty list both mean no hours', async () => {
    expect((await client.setHours('B-1', { working_hours: null })).body.data).toMatchObject({
      working_hours: null,
      working_hours_periods: [],
      is_open: false,
    });
    expect((await client.setHours('B-1', { working_hours: [] })).body.data.working_hours).toEqual([]);
  });

  test.each<[unknown, Record<string, unknown>]>([
    [{}, { working_hours: 'is required' }],
    [{ working_hours: 'x' }, { working_hours: expect.any(String) }],
    [{ working_hours: { someday: { closed: true } } }, { 'working_hours.someday': expect.any(String) }],
    [
      { working_hours: [...periods, { ...periods[0], OpenHour: 11 }] },
      { 'working_hours.2': 'overlaps Monday 09:00-12:00' },
    ],
    [[], { body: 'must be an object' }],
  ])('400: %j', async (body, details) => {
    const reply = await client.setHours('B-1', body);
    expect(reply.status).toBe(400);
    expect(reply.body.details).toEqual(details);
  });

  test('404', async () => {
    expect((await client.setHours('NONE', { working_hours: null })).status).toBe(404);
  });
});

describe('DELETE /branches/{ivId}', () => {
  test('204 with nothing in it, and the iv_id is free again', async () => {
    const reply = await client.remove('B-1');
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await client.get('B-1')).status).toBe(404);
    expect((await client.remove('B-1')).status).toBe(404);
    expect((await client.list()).body.total_count).toBe(0);
    expect((await client.create({ iv_id: 'B-1' })).status).toBe(201);
    expect((await client.list()).body.total_count).toBe(1);
  });

  test('409 with the number of SKUs; force takes them along', async () => {
    await addProducts(service.sql, shop.id, ['P-1', 'P-2']);
    await client.create({ iv_id: 'B-2' });
    await client.create({ iv_id: 'B-3' });
    for (const query of ['', '?force=false']) {
      expect(await client.remove('B-2', query)).toMatchObject({
        status: 409,
        body: { code: 409, error: 'Branch has SKUs', details: { iv_id: 'B-2', skus: 2 } },
      });
    }
    expect((await client.remove('B-2', '?force=true')).status).toBe(204);
    expect(await listSkuIvIds(service.sql, shop.id)).toEqual(['P-1_B-3', 'P-2_B-3']);
    expect(await totalOf(service.sql, shop.id, 'skus')).toBe(2);
    expect(await totalOf(service.sql, shop.id, 'branches')).toBe(2);
  });

  test('400: force is true or false', async () => {
    expect(await client.remove('B-1', '?force=perhaps')).toMatchObject({
      status: 400,
      body: { details: { force: expect.any(String) } },
    });
  });

  test('ten deletes at once: one finds it', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.remove('B-1', '?force=true')));
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, ...Array(9).fill(404)]);
    expect(await totalOf(service.sql, shop.id, 'branches')).toBe(0);
  });

  test('creates and deletes at once leave exactly the SKUs of what is there', async () => {
    await addProducts(service.sql, shop.id, ['P-1', 'P-2', 'P-3']);
    await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        await client.create({ iv_id: `C-${index}` });
        if (index % 2 === 0) await client.remove(`C-${index}`, '?force=true');
      }),
    );
    expect(await listSkuIvIds(service.sql, shop.id)).toHaveLength(8 * 3);
    expect(await totalOf(service.sql, shop.id, 'skus')).toBe(8 * 3);
    expect(await totalOf(service.sql, shop.id, 'branches')).toBe(8 + 1);
  });
});

describe('403', () => {
  test('a viewer reads and changes nothing', async () => {
    const viewer = branchClient(service.baseUrl, (await testAccount(service.sql, shop.id, 'viewer')).token);
    expect((await viewer.get('B-1')).status).toBe(200);
    for (const reply of [
      await viewer.change('B-1', {}),
      await viewer.setHours('B-1', { working_hours: null }),
      await viewer.remove('B-1'),
      await viewer.bulk({ mode: 'upsert', branches: [{ iv_id: 'B-1' }] }),
    ]) {
      expect(reply.status).toBe(403);
    }
  });

  test('a withheld grant', async () => {
    const account = await testAccount(service.sql, shop.id, 'member', { withheld: ['update:Branches'] });
    expect((await branchClient(service.baseUrl, account.token).change('B-1', {})).status).toBe(403);
  });

  test('a confined account changes its own branch, knows no other, and adds or deletes none', async () => {
    await client.create({ iv_id: 'B-2' });
    const { id } = (await client.get('B-2')).body;
    const account = await testAccount(service.sql, shop.id, 'owner', { branchId: id });
    const confined = branchClient(service.baseUrl, account.token);
    expect((await confined.change('B-2', { name_en: 'Mine' })).body.data.name_en).toBe('Mine');
    expect((await confined.setHours('B-2', { working_hours: [] })).status).toBe(200);
    expect((await confined.change('B-1', { name_en: 'Mine' })).status).toBe(404);
    expect((await confined.setHours('B-1', { working_hours: null })).status).toBe(404);
    for (const reply of [
      await confined.remove('B-2'),
      await confined.remove('B-1', '?force=true'),
      await confined.create({ iv_id: 'B-3' }),
      await confined.bulk({ mode: 'update', branches: [{ iv_id: 'B-2' }] }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { details: { account: 'confined to one branch' } } });
    }
    expect((await client.get('B-1')).body.name_en).toBe('Olaya');
  });
});

describe('If-Match', () => {
  test('returns 412 with the current branch when the branch has changed since', async () => {
    const headers = { 'if-match': String((await client.get('B-1')).headers.get('etag')) };
    expect((await client.change('B-1', { name_en: 'Olaya North' }, headers)).status).toBe(200);
    const change = await client.change('B-1', { email: 'late@example.com' }, headers);
    const hours = await client.setHours('B-1', { working_hours: null }, headers);
    for (const { status, body } of [change, hours]) {
      expect(status).toBe(412);
      expect(body.details.current).toMatchObject({ name_en: 'Olaya North', email: 'b1@example.com' });
    }
  });
});
