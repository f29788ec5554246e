import type { App } from '../../platform/http/app.ts';
import type { Platform } from '../../platform/platform.ts';
import { createReadBilling } from '../commercial/billing/index.ts';
import { analyticsHomeRoutes } from './home/routes.ts';
import { createReadCache } from './read-cache.ts';
import type { DashboardSources } from './read-dashboard.ts';
import { analyticsDashboardRoutes } from './routes.ts';
import { createSectionReaders, type ListPosts } from './sections/section-readers.ts';

export { forgetDashboardChanges } from './forget-dashboard-changes.ts';
export type { RangeDays } from './range.ts';
export type { ConsumptionItem, Post, SensyItem } from './schema.ts';
export { createSensy, type Sensy } from './sensy/index.ts';
export { saveGoal } from './sql/revenue-goals.ts';

/** A year by day is some 80,000 characters, about as many bytes; all five ranges of one branch are some 25 entries. */
const READ_CACHE = { maxEntries: 4_000, maxCharacters: 32_000_000, tenantShare: 1 / 16 };

const SECTION_TIME_LIMIT_MS = 5_000;

export type Analytics = { routes(app: App): void };

/** The operator's announcements belong to another module. */
export type PostReaders = { listPosts: ListPosts } & Pick<DashboardSources, 'readNextPostChange'>;

export function createAnalytics(platform: Platform, { listPosts, readNextPostChange }: PostReaders): Analytics {
  const { sql, clock } = platform;
  const sources = {
    sql,
    clock,
    cache: createReadCache(READ_CACHE),
    readBilling: createReadBilling({ sql, clock }),
    readNextPostChange,
    readers: createSectionReaders(listPosts),
    sectionTimeLimitMs: SECTION_TIME_LIMIT_MS,
  };
  return {
    routes(app) {
      analyticsDashboardRoutes(app, platform, sources);
      analyticsHomeRoutes(app, sources);
    },
  };
}
