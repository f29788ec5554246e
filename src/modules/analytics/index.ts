import type { App } from '../../platform/http/app.ts';
import type { Platform } from '../../platform/platform.ts';
import { createReadBilling } from '../billing/index.ts';
import { createReadCache } from './read-cache.ts';
import { analyticsDashboardRoutes } from './routes.ts';
import type { SectionProviders } from './section-providers.ts';

export type { RangeDays } from './range.ts';
export type { ConsumptionItem, Post, SensyItem } from './schema.ts';
export type { SectionProviders } from './section-providers.ts';
export { createSensy, type Sensy } from './sensy/index.ts';

/** A year by day is some 80,000 characters, and takes about as many bytes; all five ranges of one branch are some 25 readings. */
const KEPT = { maxReadings: 4_000, maxCharacters: 32_000_000, tenantShare: 1 / 16 };

const SECTION_TIME_LIMIT_MS = 5_000;

export type Analytics = { routes(app: App): void };

export function createAnalytics(platform: Platform, providers: SectionProviders = {}): Analytics {
  const { sql, clock } = platform;
  const sources = {
    sql,
    clock,
    kept: createReadCache(KEPT),
    readBilling: createReadBilling({ sql, clock }),
    providers,
    sectionTimeLimitMs: SECTION_TIME_LIMIT_MS,
  };
  return { routes: (app) => analyticsDashboardRoutes(app, platform, sources) };
}
