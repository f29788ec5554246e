import type { Clock } from '../../platform/clock.ts';
import { inSnapshot, type Sql, type Tx } from '../../platform/database/index.ts';
import { type InstallOutline, listInstallOutlines } from '../apps/index.ts';
import type { ReadBilling } from '../commercial/billing/index.ts';
import { countCustomersSince } from '../customers/index.ts';
import { type Resource, readOrganizationDefaults } from '../identity/index.ts';
import { slow } from '../orders/index.ts';
import {
  countBuyers,
  listBestSellers,
  readSalesVersions,
  type SalesRow,
  type SalesVersions,
  type SoldThing,
  sumPeriods,
} from '../sales/index.ts';
import { listStock, type Stock } from '../skus/index.ts';
import type { DashboardViewer } from './dashboard-viewer.ts';
import { type Periods, periodsOf } from './days.ts';
import type { RangeDays } from './range.ts';
import type { ReadCache } from './read-cache.ts';
import { SECTION_ITEMS } from './sections/section-names.ts';

/** What the sections of every request are read from. */
export type Sources = {
  sql: Sql;
  clock: Clock;
  cache: ReadCache;
  readBilling: ReadBilling;
  /** When the posts of any organization next change by the clock alone. */
  readNextPostChange(now: Date): Promise<Date | null>;
  /** Limit for a section and for each statement behind it, so that a statement does not outlive the request that waits for it. */
  sectionTimeLimitMs: number;
};

/** How many SKUs are checked for how long their stock lasts, the fastest sellers first. */
const WATCHED_SKUS = 200;

/** One request. What several sections need is read once, by the first that asks. */
export type SectionContext = {
  sources: Sources;
  scope: { organizationId: string; branchId: string | null };
  /** Resources that the caller may read besides Analytics. */
  readable: ReadonlySet<Resource>;
  rangeDays: RangeDays;
  timeZone: string;
  now: Date;
  periods: Periods;
  currency(): Promise<string>;
  versions(): Promise<SalesVersions>;
  sales(): Promise<SalesRow[]>;
  customers(): Promise<{ current: number; previous: number }>;
  bestSellers(): Promise<SoldThing[]>;
  /** Stock of the SKUs among the best sellers, by iv_id. */
  stock(): Promise<Map<string, Stock>>;
  installs(): Promise<InstallOutline[]>;
};

export function createSectionContext(
  sources: Sources,
  { organizationId, branchId, timeZone, readable }: DashboardViewer,
  rangeDays: RangeDays,
): SectionContext {
  const { sql, clock, cache, sectionTimeLimitMs } = sources;
  const now = clock.now();
  const scope = { organizationId, branchId };
  const periods = periodsOf(now, timeZone, rangeDays);
  const { previousFrom, previousTo, from, to } = periods;
  const before = { from: previousFrom, to: previousTo };
  const cacheKey = `${branchId} ${timeZone} ${from} ${to}`;

  const currency = memoize(async () => (await readOrganizationDefaults(sql, organizationId)).currency);
  const versions = memoize(() => readSalesVersions(sql, organizationId, before));

  /** The value with the version of sales that it includes, both from one snapshot. */
  function readVersioned<T>(pool: Sql, of: keyof SalesVersions, work: (tx: Tx) => Promise<T>) {
    return inSnapshot(pool, async (tx) => {
      await tx.unsafe(`set local statement_timeout = ${sectionTimeLimitMs}`);
      const version = (await readSalesVersions(tx, organizationId, before))[of];
      return { version, value: await work(tx) };
    });
  }

  const sales = memoize(async () => {
    const money = await currency();
    const { latest } = await versions();
    return cache.get(organizationId, `sales ${cacheKey} ${money}`, latest, () =>
      readVersioned(sql, 'latest', (tx) => sumPeriods(tx, scope, periods, money)),
    );
  });

  const customers = memoize(async () => {
    const { latest, within } = await versions();
    const current = await cache.get(organizationId, `customers ${cacheKey}`, latest, () =>
      readVersioned(sql, 'latest', (tx) => countCustomersSince(tx, scope, from, timeZone)),
    );
    // With a million orders this takes 200 ms, but it changes only when an order of that period does.
    const previous = await cache.get(organizationId, `customers before ${cacheKey}`, within, () =>
      readVersioned(slow(sql), 'within', (tx) => countBuyers(tx, scope, before, timeZone)),
    );
    return { current, previous };
  });

  const bestSellers = memoize(async () => {
    const money = await currency();
    const { latest } = await versions();
    return cache.get(organizationId, `best sellers ${cacheKey} ${money}`, latest, () =>
      readVersioned(slow(sql), 'latest', (tx) =>
        listBestSellers(tx, scope, periods, { currency: money, products: SECTION_ITEMS, skus: WATCHED_SKUS }),
      ),
    );
  });

  const stock = memoize(async () => {
    const skus = (await bestSellers()).filter((thing) => thing.kind === 'sku').map(({ id }) => id);
    const rows = skus.length === 0 ? [] : await listStock(sql, scope, skus);
    return new Map(rows.map((row) => [row.sku_iv_id, row]));
  });

  const installs = memoize(() => listInstallOutlines(sql, organizationId));

  return {
    sources,
    scope,
    readable,
    rangeDays,
    timeZone,
    now,
    periods,
    currency,
    versions,
    sales,
    customers,
    bestSellers,
    stock,
    installs,
  };
}

export function memoize<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
