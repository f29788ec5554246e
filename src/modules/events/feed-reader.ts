import type { Platform } from '../../platform/platform.ts';
import type { Cursor } from './cursor.ts';
import { type FeedFilter, type FeedPage, type PageSize, readFeedPage, readOn } from './feed.ts';
import { createReadTurns } from './read-turns.ts';
import type { FeedSettings } from './settings.ts';

/** Reads the feed for single requests, a few of each tenant at once. */
export type FeedReader = {
  readPage(filter: FeedFilter, cursor: string | undefined, size: PageSize): Promise<FeedPage>;
  readOn(filter: FeedFilter, from: Cursor, size: PageSize): Promise<FeedPage>;
};

export function createFeedReader({ sql, clock }: Pick<Platform, 'sql' | 'clock'>, settings: FeedSettings): FeedReader {
  const turns = createReadTurns(settings.readsPerTenant, settings.readPatienceMs);
  return {
    readPage: (filter, cursor, size) =>
      turns.take(filter.organizationId, () => readFeedPage(sql, clock, filter, cursor, size)),
    readOn: (filter, from, size) => turns.take(filter.organizationId, () => readOn(sql, clock, filter, from, size)),
  };
}
