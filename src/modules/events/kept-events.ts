import type { Cursor } from './cursor.ts';
import { type FeedEvent, type FeedFilter, type FeedPage, type PageSize, placeOf } from './feed.ts';

/** A tenant's latest events, as they were read for all of its streams and polls. */
export type KeptEvents = {
  head: Cursor | undefined;
  kept: FeedEvent[];
  keptAfter: number;
  pages: Map<string, FeedPage>;
};

/** A tenant's readers have a few filters, and those that keep up are at one place. */
const MAX_PAGES = 64;

/** What follows a place, one page for all that ask for the same. Nothing when that is not in memory (any more). */
export function takeFrom(from: KeptEvents, after: Cursor, filter: FeedFilter, size: PageSize): FeedPage | undefined {
  const { head, keptAfter, pages } = from;
  if (head === undefined || after.position < keptAfter) return undefined;
  if (after.position >= head.position)
    return { events: [], next: after.position > head.position ? after : head, hasMore: false };
  const key = `${after.position} ${filter.branchId} ${filter.types.join()} ${size.limit} ${size.maxBytes}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const page = collect(from.kept, head, after, filter, size);
  if (pages.size < MAX_PAGES) pages.set(key, page);
  return page;
}

function collect(kept: FeedEvent[], head: Cursor, after: Cursor, filter: FeedFilter, size: PageSize): FeedPage {
  const events: FeedEvent[] = [];
  let bytes = 0;
  for (let index = firstAfter(kept, after.position); index < kept.length; index += 1) {
    const event = kept[index];
    if (event === undefined || !matches(event, filter)) continue;
    const lastTaken = events.at(-1);
    if (lastTaken !== undefined && (events.length >= size.limit || bytes >= size.maxBytes)) {
      return { events, next: placeOf(lastTaken), hasMore: true };
    }
    events.push(event);
    bytes += event.body.length;
  }
  return { events, next: head, hasMore: false };
}

function firstAfter(kept: FeedEvent[], position: number): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle]?.position ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

function matches(event: FeedEvent, { branchId, types }: FeedFilter): boolean {
  return (branchId === null || event.branchId === branchId) && (types.length === 0 || types.includes(event.type));
}
