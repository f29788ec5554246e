import { BEFORE_THE_RECORD } from '../modules/audit/index.ts';
import { placeHistory } from '../modules/orders/index.ts';
import { changeSkus } from '../modules/skus/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { readShelves } from './baskets.ts';
import { installApps } from './channels.ts';
import { type DemoTrade, generateYear } from './generate-orders.ts';
import { collectNoted, NOTED_DAYS, type NotedOrder, seedNotes } from './order-notes.ts';
import { collectPayable, noPayable, seedPaylinks } from './paylinks.ts';
import type { DemoPeople } from './people.ts';
import { seededRandom } from './random.ts';
import { collectRecent, STAGED_DAYS, seedStaging } from './staging.ts';
import { collectDemand, DEMAND_DAYS, stockFastSkus } from './stock.ts';
import { collectTillSales, type InvoicedSale, seedInvoices } from './till.ts';
import type { RecentSale } from './vendor-payloads.ts';

/** In the order of the demo's organizations. The second one is a tenth of the first. Three of a hundred buyers never give their name. */
export const TRADES: readonly DemoTrade[] = [
  { kind: 'pharmacy', orders: 30_500, buyers: 9_280 },
  { kind: 'grocery', orders: 3_100, buyers: 960 },
];

const DAY_MS = 86_400_000;
/** Orders of the last week have events: 2,000 of them. More would lengthen the first start, and the feed shows the last ones first. */
const EVENT_DAYS = 7;
const INVOICED_DAYS = 1.5;
/** The second shop has one order of its own page a day, and links need several. */
const PAYABLE_DAYS = 25;

export type OrdersLoad = {
  box: SecretBox;
  baseUrl: string;
  seed: number;
  /** Called with each generated order. */
  onOrder?: (() => void) | undefined;
};

/**
 * The apps of each organization, thirteen months of orders through them, and what their vendors sent in the last days. Sales and
 * customers are counted from the orders afterwards.
 */
export async function seedOrders(
  tx: Tx,
  { box, baseUrl, seed, onOrder }: OrdersLoad,
  people: DemoPeople,
  now: Date,
): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  for (const [index, trade] of TRADES.entries()) {
    const organization = people.logins.organizations[index];
    const { owner, member } = people.actors[index] ?? {};
    if (organization === undefined || owner === undefined || member === undefined)
      throw new Error('a demo shop has no organization');
    const shelves = await readShelves(tx, organization.id);
    const installs = await installApps(tx, box, { organizationId: organization.id, shelves, owner }, now);
    const recent: RecentSale[] = [];
    const payable = noPayable();
    const sales: InvoicedSale[] = [];
    const noted: NotedOrder[] = [];
    const units = new Map<string, number>();
    const year = reported(generateYear(trade, index, shelves, installs, now, seededRandom(seed + index)), onOrder);
    const fromVendors = collectRecent(year, installs, daysAgo(STAGED_DAYS), recent);
    const fromPage = collectPayable(fromVendors, daysAgo(PAYABLE_DAYS), payable);
    const fromTill = collectTillSales(fromPage, daysAgo(INVOICED_DAYS), sales);
    const sold = collectDemand(fromTill, daysAgo(DEMAND_DAYS), units);
    const past = collectNoted(sold, daysAgo(NOTED_DAYS), noted);
    await placeHistory(tx, organization.id, past, { eventsSince: daysAgo(EVENT_DAYS) });
    const counted = { organizationId: organization.id, onlyBranchId: null };
    await changeSkus(tx, counted, stockFastSkus(units, seededRandom(seed)), BEFORE_THE_RECORD, daysAgo(1));
    await seedStaging(tx, organization.id, installs, recent, now);
    await seedPaylinks(tx, { organizationId: organization.id, installs, baseUrl }, payable, now);
    await seedNotes(tx, organization.id, member, noted);
    await seedInvoices(tx, organization.id, owner, sales);
  }
}

function* reported<T>(items: Iterable<T>, onItem: (() => void) | undefined): Generator<T> {
  for (const item of items) {
    onItem?.();
    yield item;
  }
}
