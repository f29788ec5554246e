import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { call, testOrganization, testService } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { createReadBilling } from '../commercial/billing/index.ts';
import { RESOURCES } from '../identity/index.ts';
import { salesCaughtUp } from '../sales/testing/caught-up.ts';
import { createReadCache } from './read-cache.ts';
import { readDashboard } from './read-dashboard.ts';
import type { SectionName } from './section-names.ts';
import type { SectionProviders } from './section-providers.ts';
import { NOON, startDashboards } from './testing/start-dashboards.ts';

const { clock, sql, openShop, dashboard, place } = await startDashboards();

describe('what fails', () => {
  test('is told beside the rest', async () => {
    const shop = await openShop();
    await place(shop, {});
    await salesCaughtUp(sql);
    await sql`alter table daily_product_sales rename to gone`;
    const failed = await dashboard(shop.owner.token);
    await sql`alter table gone rename to daily_product_sales`;
    const wrong = 'This section could not be read';
    expect(failed.errors).toEqual({ sensy: wrong, consumption: wrong, products: wrong });
    expect(Object.keys(failed.data)).toEqual(['summary', 'trends', 'apps', 'activity']);
    const mended = await dashboard(shop.owner.token);
    expect([Object.keys(mended.data).at(-1), mended.errors]).toEqual(['products', undefined]);
  });

  const read = async (providers: SectionProviders, sections: readonly SectionName[]) => {
    const shop = await openShop();
    const sources = {
      sql,
      clock,
      kept: createReadCache({ maxReadings: 10, maxCharacters: 10_000, tenantShare: 1 }),
      readBilling: createReadBilling({ sql, clock }),
      providers,
      sectionTimeLimitMs: 500,
    };
    const tenant = { organizationId: shop.id, branchId: null, timeZone: 'Asia/Riyadh', readable: new Set(RESOURCES) };
    return JSON.parse(await readDashboard(sources, pino({ level: 'silent' }), tenant, 30, sections));
  };

  test('by taking too long is told as well', async () => {
    const never = new Promise<never>(() => undefined);
    const mover = { sku_id: 'S', product_name_en: null, product_name_ar: null, branch_iv_id: null };
    const use = [{ ...mover, units: 1, daily_use: 1, current_qty: null, days_of_cover: null }];
    // Only sections that wait for nothing or for ever: how long the database takes is the machine's business.
    const { data, errors } = await read(
      { listPosts: () => never, readSensySection: () => never, readConsumptionSection: async () => use },
      ['sensy', 'consumption', 'posts'],
    );
    const late = 'This section took longer than 0.5 seconds';
    expect([data, errors]).toEqual([{ consumption: use }, { sensy: late, posts: late }]);
  });

  test('other parts provide what they know better', async () => {
    const post = {
      id: newId(),
      title_en: 'Eid',
      title_ar: 'عيد',
      body_en: 'Closed',
      body_ar: 'مغلق',
      published_at: NOON.toISOString(),
    };
    const asked: unknown[] = [];
    const { data } = await read(
      {
        listPosts: async () => [post],
        readSensySection: async (...given) => {
          asked.push(given.slice(1));
          return [];
        },
      },
      ['sensy', 'posts'],
    );
    expect([data, asked]).toEqual([{ posts: [post] }, [[null, 30]]]);
  });
});

describe('fifty callers on two connections', () => {
  test('all get their answer', async () => {
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
