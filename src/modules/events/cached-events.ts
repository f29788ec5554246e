import type { Cursor } from './cursor.ts';
import { cursorOf, type FeedEvent, type FeedFilter, type FeedPage, type PageSize } from './feed.ts';

/** A tenant's latest events, read once for all of its streams and polls. */
export type CachedEvents = {
  head: Cursor | undefined;
  cached: FeedEvent[];
  cachedAfter: number;
  pages: Map<string, FeedPage>;
};

/** Readers of a tenant have few filters, and those that keep up are at the same position. */
const MAX_PAGES = 64;

/** The page after a position, shared by readers with the same filter. Undefined when it is not cached. */
export function takeFrom(from: CachedEvents, after: Cursor, filter: FeedFilter, size: PageSize): FeedPage | undefined {
  const { head, cachedAfter, pages } = from;
  if (head === undefined || after.position < cachedAfter) return undefined;
  if (after.position >= head.position)
    return { events: [], next: after.position > head.position ? after : head, hasMore: false };
  const key = `${after.position} ${filter.branchId} ${filter.types.join()} ${size.limit} ${size.maxBytes}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const page = collect(from.cached, head, after, filter, size);
  if (pages.size < MAX_PAGES) pages.set(key, page);
  return page;
}

function collect(cached: FeedEvent[], head: Cursor, after: Cursor, filter: FeedFilter, size: PageSize): FeedPage {
  const events: FeedEvent[] = [];
  let bytes = 0;
  for (let index = firstAfter(cached, after.position); index < cached.length; index += 1) {
    const event = cached[index];
    if (event === undefined || !matches(event, filter)) continue;
    const lastTaken = events.at(-1);
    if (lastTaken !== undefined && (events.length >= size.limit || bytes >= size.maxBytes)) {
      return { events, next: cursorOf(lastTaken), hasMore: true };
    }
    events.push(event);
    bytes += event.body.length;
  }
  return { events, next: head, hasMore: false };
}

function firstAfter(cached: FeedEvent[], position: number): number {
  let low = 0;
  let high = cached.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cached[middle]?.position ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

function matches(event: FeedEvent, { branchId, types }: FeedFilter): boolean {
  return (branchId === null || event.branchId === branchId) && (types.length === 0 || types.includes(event.type));
}
