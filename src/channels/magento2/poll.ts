import { createHash } from 'node:crypto';
import { findInstant, type Reader, readerOf, Unreadable } from '../../platform/inbound/index.ts';
import type { AppSettings, Page, PollPosition, VendorClient } from '../contract.ts';
import { callShop } from './push.ts';

/** An order has about 600 values; a response may have 50,000. */
const PAGE_SIZE = 50;
/** An order is dated at its write and visible after its commit, possibly after an order with a later date. */
const OVERLAP_SECONDS = 120;
/** Stored in the cursor at about 40 bytes each. A store with more changes in two minutes has no overlap. */
const MAX_SEEN = 200;

type Seen = { id: string; digest: string; second: string };

/**
 * The position: `from` is a second of the store's clock; `page` continues if more orders changed in one second than fit a page;
 * `seen` are the orders of the overlap with their state.
 */
type Cursor = { from: string; page: number; seen: Seen[] };

export async function poll(at: PollPosition, client: VendorClient, settings: AppSettings): Promise<Page> {
  const now = clockOf(at.now);
  const cursor = findCursor(at.cursor, now) ?? { from: clockOf(at.since), page: 1, seen: [] };
  const query = queryOf(cursor);
  const { json } = await callShop(client, { method: 'GET', path: '/V1/orders', query }, settings);
  const answer = readerOf(json);
  if (!answer.at('items').isThere() && !answer.at('total_count').isThere()) {
    throw new Unreadable('unexpected', "The shop's answer is not a list of orders", 'items');
  }
  const found = answer.at('items').list().map(toFound);
  // A page beyond the last one returns the last one again: only the count shows the end.
  const hasMore = found.length >= PAGE_SIZE && (answer.at('total_count').findInteger() ?? 0) > cursor.page * PAGE_SIZE;
  const known = new Map(cursor.seen.map(({ id, digest }) => [id, digest]));
  const orders = found.filter(({ id, digest }) => known.get(id) !== digest).map(({ order }) => order);
  return { orders, cursor: JSON.stringify(nextOf(cursor, found, hasMore, now)), hasMore };
}

function nextOf(cursor: Cursor, found: Seen[], hasMore: boolean, now: string): Cursor {
  const { from, page } = cursor;
  const last = found.reduce((latest, { second }) => (second > latest && second <= now ? second : latest), from);
  const overlapFrom = secondsFrom(last, -OVERLAP_SECONDS);
  const latest = new Map([...cursor.seen, ...found].map((one) => [one.id, one]));
  const seen = [...latest.values()]
    .filter(({ second }) => second >= overlapFrom)
    .map(({ id, digest, second }) => ({ id, digest, second }));
  if (hasMore) {
    const where = last > from ? { from: last, page: 1 } : { from, page: page + 1 };
    return { ...where, seen: seen.slice(-MAX_SEEN) };
  }
  if (seen.length > MAX_SEEN) return { from: secondsFrom(last, 1), page: 1, seen: [] };
  return { from: overlapFrom > from ? overlapFrom : from, page: 1, seen };
}

/** An invalid time counts as the epoch here; parsing the order reports the error. */
function toFound(item: Reader): Seen & { order: unknown } {
  const { entity_id, updated_at } = (item.value ?? {}) as Record<string, unknown>;
  const changedAt = typeof updated_at === 'string' ? findInstant(updated_at, 'UTC') : undefined;
  return {
    id: typeof entity_id === 'object' ? '' : String(entity_id).slice(0, 50),
    digest: createHash('sha256').update(JSON.stringify(item.value)).digest('base64url').slice(0, 12),
    second: changedAt === undefined ? '' : clockOf(changedAt),
    order: item.value,
  };
}

function queryOf({ from, page }: Cursor): Record<string, string> {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  return {
    [`${filter}[field]`]: 'updated_at',
    [`${filter}[condition_type]`]: 'gteq',
    [`${filter}[value]`]: from,
    'searchCriteria[sortOrders][0][field]': 'updated_at',
    'searchCriteria[sortOrders][0][direction]': 'ASC',
    'searchCriteria[sortOrders][1][field]': 'entity_id',
    'searchCriteria[sortOrders][1][direction]': 'ASC',
    'searchCriteria[pageSize]': String(PAGE_SIZE),
    'searchCriteria[currentPage]': String(page),
  };
}

/** `2026-11-15 09:00:00` in UTC: the store's format. */
function clockOf(instant: Date): string {
  return instant.toISOString().slice(0, 19).replace('T', ' ');
}

function secondsFrom(clock: string, seconds: number): string {
  const instant = findInstant(clock, 'UTC');
  return instant === undefined ? clock : clockOf(new Date(instant.getTime() + seconds * 1000));
}

/** One of an earlier release may be in the future. */
function findCursor(text: string | undefined, now: string): Cursor | undefined {
  const stored = text === undefined ? undefined : (JSON.parse(text) as Cursor);
  return stored !== undefined && stored.from <= now ? stored : undefined;
}
