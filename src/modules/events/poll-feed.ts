import { Problem } from '../../platform/http/problem.ts';
import type { FeedFilter, FeedPage, PageSize } from './feed.ts';
import type { FeedHub } from './feed-hub.ts';
import type { FeedReader } from './feed-reader.ts';

/**
 * Waits for an event when the first page has none. No connection is held meanwhile, and when events come, one read serves
 * all waiting polls of the tenant.
 */
export async function waitForEvents(
  { hub, reader, heartbeatMs }: { hub: FeedHub; reader: FeedReader; heartbeatMs: number },
  filter: FeedFilter,
  first: FeedPage,
  size: PageSize,
  waitMs: number,
  /** Throws when the caller may no longer read the feed. */
  admitAgain: () => Promise<void>,
  /** Ends the wait. A Problem as its reason is the response. */
  signal: AbortSignal,
): Promise<FeedPage> {
  const deadlineMs = performance.now() + waitMs;
  const tenantFeed = hub.join(filter.organizationId);
  let page = first;
  try {
    while (page.events.length === 0 && !signal.aborted) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) break;
      await tenantFeed.wait(page.next, Math.min(leftMs, heartbeatMs), signal);
      if (signal.aborted) break;
      tenantFeed.refresh();
      page = tenantFeed.take(page.next, filter, size) ?? (await reader.readOn(filter, page.next, size));
    }
    if (signal.reason instanceof Problem) throw signal.reason;
    await admitAgain();
    return page;
  } finally {
    tenantFeed.leave();
  }
}
