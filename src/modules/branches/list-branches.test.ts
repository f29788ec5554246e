import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { testAccount, testOrganization, testShop } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { distanceKm } from './geo.ts';
import { isOpenAt } from './opening.ts';
import { type BranchClient, branchClient } from './testing/client.ts';
import { parseWorkingHours } from './working-hours.ts';

// A Sunday, 10:00 in Riyadh.
const NOW = new Date('2026-11-15T07:00:00.000Z');
const clock = movableClock(NOW);
const { service, shop } = await testShop({}, { clock });
const client = branchClient(service.baseUrl, shop.owner.token);

const BRANCHES = [
  { iv_id: 'RUH-1', name_en: 'Olaya', name_ar: 'فرع العُليا', status: 'Published', location: at(24.7136, 46.6753) },
  { iv_id: 'RUH-2', name_en: 'Malaz', name_ar: 'فرع الملز', status: 'Published', location: at(24.6636, 46.7353) },
  { iv_id: 'JED-1', name_en: 'Corniche', name_ar: 'الكورنيش', status: 'Pending', location: at(21.5433, 39.1728) },
  { iv_id: 'DMM-1', name_en: 'Ash Shati', name_ar: 'إدارة الشاطئ', active: false, location: at(26.4207, 50.0888) },
  { iv_id: 'NOWHERE', name_en: 'Warehouse 100%', name_ar: 'مستودع' },
];

function at(lat: number, lon: number) {
  return { lat, lon };
}

async function listed(query: string): Promise<string[]> {
  const reply = await client.list(query);
  expect(reply.status).toBe(200);
  expect(reply.body.count).toBe(reply.body.data.length);
  return reply.body.data.map((branch) => branch.iv_id);
}

beforeAll(async () => {
  for (const branch of BRANCHES) {
    expect((await client.create(branch)).status).toBe(201);
    clock.advanceMs(1000);
  }
});

describe('the envelope', () => {
  test('newest first, whole branches, exact total', async () => {
    const { body } = await client.list();
    expect(body).toMatchObject({ count: 5, total_count: 5, page: 1, limit: 20, has_next: false, meta: {} });
    expect(body.data.map((branch) => branch.iv_id)).toEqual(['NOWHERE', 'DMM-1', 'JED-1', 'RUH-2', 'RUH-1']);
    expect(body.data[4]).toEqual((await client.get('RUH-1')).body);
    expect(body.data[0]).not.toHaveProperty('distance_km');
  });

  test('pages', async () => {
    const first = await client.list('?limit=2');
    expect(first.body).toMatchObject({ count: 2, total_count: 5, limit: 2, has_next: true });
    const last = await client.list('?limit=2&page=3');
    expect(last.body).toMatchObject({ count: 1, total_count: 5, page: 3, has_next: false });
    expect(await client.list('?page=9')).toMatchObject({ body: { count: 0, total_count: 5, has_next: false } });
    const filtered = await client.list('?status=Published&limit=1');
    expect(filtered.body).toMatchObject({ count: 1, total_count: 2, has_next: true });
  });

  test.each([
    ['iv_id', ['DMM-1', 'JED-1', 'NOWHERE', 'RUH-1', 'RUH-2']],
    ['-iv_id', ['RUH-2', 'RUH-1', 'NOWHERE', 'JED-1', 'DMM-1']],
    ['name_en', ['DMM-1', 'JED-1', 'RUH-2', 'RUH-1', 'NOWHERE']],
    ['created', ['RUH-1', 'RUH-2', 'JED-1', 'DMM-1', 'NOWHERE']],
    ['-created', ['NOWHERE', 'DMM-1', 'JED-1', 'RUH-2', 'RUH-1']],
    ['status', ['DMM-1', 'NOWHERE', 'JED-1', 'RUH-1', 'RUH-2']],
  ])('sort=%s', async (sort, expected) => {
    expect(await listed(`?sort=${sort}`)).toEqual(expected);
  });

  test('sort=name_ar and sort=-updated name every branch once', async () => {
    for (const sort of ['name_ar', '-name_ar', '-updated', 'updated', '-status']) {
      expect((await listed(`?sort=${sort}`)).sort()).toEqual(['DMM-1', 'JED-1', 'NOWHERE', 'RUH-1', 'RUH-2']);
    }
  });
});

describe('filters', () => {
  test.each<[string, string[]]>([
    ['active=false', ['DMM-1']],
    ['active=true&status=Pending', ['JED-1']],
    ['status=Published', ['RUH-2', 'RUH-1']],
    ['status=Rejected', []],
    ['search=oLaYa', ['RUH-1']],
    ['search=العليا', ['RUH-1']],
    ['search=فَرْع', ['RUH-2', 'RUH-1']],
    ['search=ادارة', ['DMM-1']],
    ['search=اداره', ['DMM-1']],
    ['search=ruh-', ['RUH-2', 'RUH-1']],
    ['search=100%25', ['NOWHERE']],
    ['search=RUH_1', []],
    ['search=', ['NOWHERE', 'DMM-1', 'JED-1', 'RUH-2', 'RUH-1']],
    // The end of one name and the start of the next are not one text.
    ['search=olaya%20فرع', []],
    ["search='%20or%201=1", []],
  ])('%s', async (query, expected) => {
    expect(await listed(`?${query}`)).toEqual(expected);
    expect((await client.list(`?${query}`)).body.total_count).toBe(expected.length);
  });
});

describe('near', () => {
  test('nearest first with the distance, branches without a place left out', async () => {
    const { body } = await client.list('?near_lat=24.70&near_lon=46.68');
    expect(body.data.map((branch) => branch.iv_id)).toEqual(['RUH-1', 'RUH-2']);
    const expected = BRANCHES.slice(0, 2).map(({ location }) =>
      distanceKm({ lat: 24.7, lon: 46.68 }, location ?? { lat: 0, lon: 0 }),
    );
    body.data.forEach((branch, index) => {
      expect(branch.distance_km).toBeCloseTo(expected[index] ?? 0, 3);
    });
  });

  test('radius and an explicit order', async () => {
    expect(await listed('?near_lat=24.7136&near_lon=46.6753&radius_km=0.1')).toEqual(['RUH-1']);
    expect(await listed('?near_lat=24.70&near_lon=46.68&sort=name_en')).toEqual(['RUH-2', 'RUH-1']);
    expect(await listed('?near_lat=24.70&near_lon=46.68&search=malaz')).toEqual(['RUH-2']);
    expect(await listed('?near_lat=0&near_lon=0&radius_km=100')).toEqual([]);
  });

  test('over the date line and at a pole', async () => {
    const islands = await testOrganization(service.sql);
    const there = branchClient(service.baseUrl, islands.owner.token);
    await there.create({ iv_id: 'EAST', location: at(-16.8, 179.95) });
    await there.create({ iv_id: 'WEST', location: at(-16.8, -179.95) });
    await there.create({ iv_id: 'POLE', location: at(90, 0) });
    const near = async (query: string) => (await there.list(query)).body.data.map((branch) => branch.iv_id);
    expect(await near('?near_lat=-16.8&near_lon=179.99&radius_km=20')).toEqual(['EAST', 'WEST']);
    expect(await near('?near_lat=-16.8&near_lon=-180&radius_km=20')).toEqual(['EAST', 'WEST']);
    expect(await near('?near_lat=89.9&near_lon=170&radius_km=50')).toEqual(['POLE']);
  });

  test('the database finds what the formula finds', async () => {
    const globe = await testOrganization(service.sql);
    const there = branchClient(service.baseUrl, globe.owner.token);
    const point = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    const center = { lat: 24.7, lon: 46.7 };
    const around = fc.record({
      lat: fc.double({ min: 23.5, max: 26, noNaN: true }),
      lon: fc.double({ min: 45.5, max: 48, noNaN: true }),
    });
    const points = fc.sample(fc.oneof(point, around), { numRuns: 300, seed: 7 });
    const branches = points.map((location, index) => ({ iv_id: `G-${index}`, location }));
    expect((await there.bulk({ mode: 'create', branches })).body.data.succeeded).toBe(300);
    for (const radius of [0.1, 25, 60, 100]) {
      const expected = branches
        .map(({ iv_id, location }) => ({ iv_id, km: distanceKm(center, location) }))
        .filter(({ km }) => km <= radius)
        .sort((a, b) => a.km - b.km)
        .map(({ iv_id }) => iv_id);
      const found: string[] = [];
      for (let page = 1; found.length < expected.length || page === 1; page += 1) {
        const query = `?near_lat=24.7&near_lon=46.7&radius_km=${radius}&limit=100&page=${page}`;
        const { body } = await there.list(query);
        expect(body.total_count).toBe(expected.length);
        found.push(...body.data.map((branch) => branch.iv_id));
      }
      expect(found).toEqual(expected);
    }
  });
});

describe('hours', () => {
  let zones: BranchClient;
  beforeAll(async () => {
    const world = await testOrganization(service.sql);
    zones = branchClient(service.baseUrl, world.owner.token);
    const nine = { sunday: { open: '09:00', close: '17:00' } };
    await zones.create({ iv_id: 'HOME', working_hours: nine });
    await zones.create({ iv_id: 'LONDON', working_hours: nine, time_zone: 'Europe/London' });
    await zones.create({ iv_id: 'TOKYO', working_hours: nine, time_zone: 'Asia/Tokyo' });
    await zones.create({
      iv_id: 'NIGHT',
      working_hours: [{ WeekDay: 'Saturday', OpenHour: 22, OpenMinute: 0, CloseHour: 3, CloseMinute: 0 }],
    });
    await zones.create({ iv_id: 'NEVER' });
  });
  const openAt = async (instant: string) => {
    const { body, status } = await zones.list(`?open_at=${instant}&sort=iv_id`);
    expect(status).toBe(200);
    expect(body.total_count).toBe(body.data.length);
    return body.data.map((branch) => branch.iv_id);
  };

  test.each([
    ['2026-11-15T09:00:00%2B03:00', ['HOME', 'TOKYO']],
    // An unescaped plus.
    ['2026-11-15T09:00:00+03:00', ['HOME', 'TOKYO']],
    ['2026-11-15T08:59:59.999%2B03:00', ['TOKYO']],
    ['2026-11-15T12:30:00Z', ['HOME', 'LONDON']],
    ['2026-11-15t12:30:60z', ['HOME', 'LONDON']],
    ['2026-11-15T16:59:00Z', ['LONDON']],
    ['2026-11-15T17:00:00Z', []],
    ['2026-11-14T23:59:00Z', ['NIGHT']],
    ['2026-11-15T00:00:00Z', ['TOKYO']],
    ['2026-11-14T18:59:00Z', []],
    ['2026-11-14T19:00:00Z', ['NIGHT']],
  ])('open_at=%s', async (instant, expected) => {
    expect(await openAt(instant)).toEqual(expected);
  });

  test('is_open follows the clock of the branch', async () => {
    const open = async (instant: string) => {
      clock.moveTo(new Date(instant));
      const { body } = await zones.list('?sort=iv_id');
      const single = await zones.get('TOKYO');
      expect(single.body.is_open).toBe(body.data.find((branch) => branch.iv_id === 'TOKYO')?.is_open);
      return body.data.filter((branch) => branch.is_open).map((branch) => branch.iv_id);
    };
    expect(await open('2026-11-15T06:30:00Z')).toEqual(['HOME', 'TOKYO']);
    expect(await open('2026-11-15T16:30:00Z')).toEqual(['LONDON']);
    expect(await open('2026-11-14T20:00:00Z')).toEqual(['NIGHT']);
    clock.moveTo(NOW);
  });

  test('the database agrees with the pure rule at every hour of a week', async () => {
    const hours = { saturday: { open: '20:00', close: '06:00' }, friday: { open: '14:00', close: '14:00' } };
    const other = await testOrganization(service.sql);
    const there = branchClient(service.baseUrl, other.owner.token);
    await there.create({ iv_id: 'W', working_hours: hours });
    const parsed = parseWorkingHours(hours);
    const periods = parsed.ok ? parsed.periods : [];
    for (let hour = 0; hour < 168; hour += 3) {
      const instant = new Date(NOW.getTime() + hour * 3_600_000);
      const { body } = await there.list(`?open_at=${instant.toISOString()}`);
      expect(body.total_count === 1, instant.toISOString()).toBe(isOpenAt(periods, instant, 'Asia/Riyadh'));
    }
  });
});

describe('400', () => {
  test.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['page=1.5', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['page=Infinity', 'page'],
    ['limit=-Infinity', 'limit'],
    ['sort=email', 'sort'],
    ['sort=--created', 'sort'],
    ['sort=created;drop', 'sort'],
    ['active=maybe', 'active'],
    ['active=', 'active'],
    ['status=Open', 'status'],
    ['status=', 'status'],
    [`search=${'x'.repeat(256)}`, 'search'],
    ['near_lat=91&near_lon=0', 'near_lat'],
    ['near_lat=1&near_lon=180.5', 'near_lon'],
    ['near_lat=NaN&near_lon=1', 'near_lat'],
    ['near_lat=Infinity&near_lon=1', 'near_lat'],
    ['near_lat=1', 'near_lon'],
    ['near_lon=1', 'near_lat'],
    ['near_lat=1&near_lon=1&radius_km=0.05', 'radius_km'],
    ['near_lat=1&near_lon=1&radius_km=101', 'radius_km'],
    ['open_at=now', 'open_at'],
    ['open_at=2026-11-15', 'open_at'],
    ['open_at=2026-11-15T10:00:00', 'open_at'],
    ['open_at=2026-02-30T10:00:00Z', 'open_at'],
    ['open_at=2026-13-01T10:00:00Z', 'open_at'],
    ['open_at=2026-11-15T25:00:00Z', 'open_at'],
    ['open_at=2026-11-15T10:00:61Z', 'open_at'],
    ['open_at=', 'open_at'],
  ])('%s', async (query, field) => {
    const reply = await client.list(`?${query}`);
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.details)).toEqual([field]);
  });
});

test('an account confined to one branch sees that one', async () => {
  const { id } = (await client.get('RUH-1')).body;
  const confined = await testAccount(service.sql, shop.id, 'member', { branchId: id });
  const own = branchClient(service.baseUrl, confined.token);
  const { body } = await own.list();
  expect(body).toMatchObject({ count: 1, total_count: 1, has_next: false });
  expect(body.data[0]?.iv_id).toBe('RUH-1');
  expect((await own.list('?search=malaz')).body.total_count).toBe(0);
  expect((await own.get('RUH-1')).status).toBe(200);
  expect(await own.get('RUH-2')).toMatchObject({ status: 404, body: { details: { iv_id: 'RUH-2' } } });
});
