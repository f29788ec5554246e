import { createFairLimiter } from '../../platform/fair-limiter/index.ts';
import { unavailable } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Cursor } from './cursor.ts';
import { type FeedFilter, type FeedPage, type PageSize, readFeedPage, readOn } from './feed.ts';
import type { FeedSettings } from './settings.ts';

/** Reads the feed for single requests, a few of each tenant at once. */
export type FeedReader = {
  readPage(filter: FeedFilter, cursor: string | undefined, size: PageSize): Promise<FeedPage>;
  readOn(filter: FeedFilter, from: Cursor, size: PageSize): Promise<FeedPage>;
};

export function createFeedReader({ sql, clock }: Pick<Platform, 'sql' | 'clock'>, settings: FeedSettings): FeedReader {
  // A waiting read belongs to an open request, of which the feed limits the number: the queue needs no limit of its own.
  const limiter = createFairLimiter({
    maxConcurrentPerTenant: settings.readsPerTenant,
    maxWaitMs: settings.readPatienceMs,
  });
  const limited = (filter: FeedFilter, read: () => Promise<FeedPage>) =>
    limiter.run({ tenant: filter.organizationId }, read, () => unavailable('Too many reads of the feed are waiting'));
  return {
    readPage: (filter, cursor, size) => limited(filter, () => readFeedPage(sql, clock, filter, cursor, size)),
    readOn: (filter, from, size) => limited(filter, () => readOn(sql, clock, filter, from, size)),
  };
}
