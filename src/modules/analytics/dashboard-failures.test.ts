import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { call, testOrganization, testService } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { createReadBilling } from '../commercial/billing/index.ts';
import { RESOURCES } from '../identity/index.ts';
import { salesCaughtUp } from '../sales/testing/caught-up.ts';
import { createReadCache } from './read-cache.ts';
import { readDashboard } from './read-dashboard.ts';
import type { SectionName } from './sections/section-names.ts';
import { createSectionReaders, type SectionReaders } from './sections/section-readers.ts';
import { NOON, startDashboards } from './testing/start-dashboards.ts';

const { clock, sql, openShop, dashboard, place } = await startDashboards();

describe('GET /analytics/dashboard with a failing section', () => {
  test('names the section in errors and answers the others', async () => {
    const shop = await openShop();
    await place(shop, {});
    await salesCaughtUp(sql);
    await sql`alter table daily_product_sales rename to gone`;
    const failed = await dashboard(shop.owner.token);
    await sql`alter table gone rename to daily_product_sales`;
    const unreadable = 'This section could not be read';
    expect(failed.errors).toEqual({ sensy: unreadable, consumption: unreadable, products: unreadable });
    expect(Object.keys(failed.data)).toEqual(['summary', 'trends', 'apps', 'activity']);
    const recovered = await dashboard(shop.owner.token);
    expect([Object.keys(recovered.data).at(-1), recovered.errors]).toEqual(['products', undefined]);
  });

  const noPosts = createSectionReaders(async () => []);
  const read = async (readers: SectionReaders, sections: readonly SectionName[]) => {
    const shop = await openShop();
    const sources = {
      sql,
      clock,
      cache: createReadCache({ maxEntries: 10, maxCharacters: 10_000, tenantShare: 1 }),
      readBilling: createReadBilling({ sql, clock }),
      readNextPostChange: async () => null,
      readers,
      sectionTimeLimitMs: 500,
    };
    const tenant = { organizationId: shop.id, branchId: null, timeZone: 'Asia/Riyadh', readable: new Set(RESOURCES) };
    const { data, errors } = await readDashboard(sources, pino({ level: 'silent' }), tenant, 30, sections);
    return { organizationId: shop.id, data, errors };
  };

  test('names a section that exceeds the time limit', async () => {
    const never = new Promise<never>(() => undefined);
    const mover = { sku_id: 'S', product_name_en: null, product_name_ar: null, branch_iv_id: null };
    const use = [{ ...mover, units: 1, daily_use: 1, current_qty: null, days_of_cover: null }];
    // Readers that answer at once or never, so that the speed of the database does not decide the outcome.
    const readers = { ...noPosts, sensy: () => never, consumption: async () => use, posts: () => never };
    const { data, errors } = await read(readers, ['sensy', 'consumption', 'posts']);
    const late = 'This section took longer than 0.5 seconds';
    expect([data, errors]).toEqual([{ consumption: use }, { sensy: late, posts: late }]);
  });

  test('shows posts of the given provider and leaves an empty section out', async () => {
    const post = {
      id: newId(),
      title_en: 'Eid',
      title_ar: 'عيد',
      body_en: 'Closed',
      body_ar: 'مغلق',
      published_at: NOON.toISOString(),
    };
    const asked: unknown[] = [];
    const listPosts = async (organizationId: string, now: Date) => {
      asked.push([organizationId, now]);
      return [post];
    };
    const readers = { ...createSectionReaders(listPosts), sensy: async () => [] };
    const { data, organizationId } = await read(readers, ['sensy', 'posts']);
    expect([data, asked]).toEqual([{ posts: [post] }, [[organizationId, clock.now()]]]);
  });
});

describe('GET /analytics/dashboard under load', () => {
  test('answers fifty callers on two connections', async () => {
    const narrow = await testService({ DATABASE_POOL_SIZE: '2', DUKKAN_ROLES: 'api' }, { clock });
    const shops = [await testOrganization(narrow.sql), await testOrganization(narrow.sql)];
    const queries = ['', '?range=7', '?range=1y', '?section=summary', '?section=alerts&section=products'];
    const asked = Array.from({ length: 50 }, (_, index) =>
      call(narrow.baseUrl, `GET /analytics/dashboard${queries[index % 5]}`, { token: shops[index % 2]?.owner.token }),
    );
    for (const { status, body } of await Promise.all(asked)) expect([status, body.range_days > 0]).toEqual([200, true]);
    const calm = async () =>
      (await call(narrow.baseUrl, 'GET /analytics/dashboard', { token: shops[0]?.owner.token })).body;
    await expect.poll(async () => (await calm()).errors).toBeUndefined();
  });
});
