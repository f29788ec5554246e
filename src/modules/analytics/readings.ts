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
import type { DashboardReader } from './dashboard-reader.ts';
import { type Periods, periodsOf } from './days.ts';
import type { RangeDays } from './range.ts';
import type { ReadCache } from './read-cache.ts';
import { SECTION_ITEMS, type SectionProviders } from './section-providers.ts';

/** What sections are made from. */
export type Sources = {
  sql: Sql;
  clock: Clock;
  kept: ReadCache;
  readBilling: ReadBilling;
  providers: SectionProviders;
  /** A section may take so long, and so may a sum for it: what nobody waits for any more is not worked on. */
  sectionTimeLimitMs: number;
};

/** SKUs that are looked at for how long their stock lasts, the fastest first. */
const WATCHED_SKUS = 200;

/** Of one request: what several sections draw on is read once, by whichever asks first. */
export type Readings = {
  sources: Sources;
  scope: { organizationId: string; branchId: string | null };
  /** What the caller may read besides Analytics. */
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
  /** What is left of the SKUs among them, by iv_id. */
  stock(): Promise<Map<string, Stock>>;
  installs(): Promise<InstallOutline[]>;
};

export function openReadings(
  sources: Sources,
  { organizationId, branchId, timeZone, readable }: DashboardReader,
  rangeDays: RangeDays,
): Readings {
  const { sql, clock, kept, sectionTimeLimitMs } = sources;
  const now = clock.now();
  const scope = { organizationId, branchId };
  const periods = periodsOf(now, timeZone, rangeDays);
  const { previousFrom, previousTo, from, to } = periods;
  const before = { from: previousFrom, to: previousTo };
  const whose = `${branchId} ${timeZone} ${from} ${to}`;

  const currency = once(async () => (await readOrganizationDefaults(sql, organizationId)).currency);
  const versions = once(() => readSalesVersions(sql, organizationId, before));

  /** With the version it is right up to, of the same instant. */
  function read<T>(lane: Sql, of: keyof SalesVersions, work: (tx: Tx) => Promise<T>) {
    return inSnapshot(lane, async (tx) => {
      await tx.unsafe(`set local statement_timeout = ${sectionTimeLimitMs}`);
      const version = (await readSalesVersions(tx, organizationId, before))[of];
      return { version, value: await work(tx) };
    });
  }

  const sales = once(async () => {
    const money = await currency();
    const { latest } = await versions();
    return kept.get(organizationId, `sales ${whose} ${money}`, latest, () =>
      read(sql, 'latest', (tx) => sumPeriods(tx, scope, periods, money)),
    );
  });

  const customers = once(async () => {
    const { latest, within } = await versions();
    const current = await kept.get(organizationId, `customers ${whose}`, latest, () =>
      read(sql, 'latest', (tx) => countCustomersSince(tx, scope, from, timeZone)),
    );
    // With a million orders this takes a fifth of a second, but it changes only when an order of that time does.
    const previous = await kept.get(organizationId, `customers before ${whose}`, within, () =>
      read(slow(sql), 'within', (tx) => countBuyers(tx, scope, before, timeZone)),
    );
    return { current, previous };
  });

  const bestSellers = once(async () => {
    const money = await currency();
    const { latest } = await versions();
    return kept.get(organizationId, `best sellers ${whose} ${money}`, latest, () =>
      read(slow(sql), 'latest', (tx) =>
        listBestSellers(tx, scope, periods, { currency: money, products: SECTION_ITEMS, skus: WATCHED_SKUS }),
      ),
    );
  });

  const stock = once(async () => {
    const skus = (await bestSellers()).filter((thing) => thing.kind === 'sku').map(({ id }) => id);
    const rows = skus.length === 0 ? [] : await listStock(sql, scope, skus);
    return new Map(rows.map((row) => [row.sku_iv_id, row]));
  });

  const installs = once(() => listInstallOutlines(sql, organizationId));

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

export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}
