import { createNotifier, type Notifier } from '../../platform/background/index.ts';
import type { App } from '../../platform/http/app.ts';
import { inBackground, type Platform } from '../../platform/platform.ts';
import type { RightsWatch } from '../identity/index.ts';
import { createFeedHub } from './feed-hub.ts';
import { createFollower, type FollowerOptions } from './follower.ts';
import { createOpenRequestLimiter } from './open-request-limiter.ts';
import { createPublisher, dropOldEvents } from './publisher.ts';
import { createRecentEvents, type RecentEvents } from './recent-events.ts';
import { feedRoutes } from './routes.ts';
import { FEED_SETTINGS } from './settings.ts';
import { type FollowerFigures, readFollowerFigures } from './sql/followers.ts';

export { formatCursor } from './cursor.ts';
export { EVENT_SPEC_VERSION, EVENT_TYPES, type EventType } from './event-types.ts';
export { eventExample, orderExample } from './examples.ts';
export { formatMicroseconds, type OrderChange, type OutboxEntry, outboxEntry } from './outbox-entry.ts';
export type { RecentEvents } from './recent-events.ts';
export { OrderEvent } from './schema.ts';
export {
  lockFollower,
  readLastWritten,
  readLatest,
  readPositions,
  readTenantPosition,
  readTimeline,
  type StampedEvent,
  type TimelineKey,
  tenantPosition,
} from './sql/events.ts';
export {
  type DeadLetteredEvent,
  type FollowerFigures,
  listDeadLettered,
  requestDeadLetterRetry,
} from './sql/followers.ts';
export { eventsOf } from './sql/order-events.ts';
export { readAt, readBodies } from './sql/read-after.ts';

export type Events = {
  /** Notified after a commit to the outbox. */
  outbox: Notifier;
  /** Notifies when events are stamped. */
  feed: Notifier;
  follow(options: FollowerOptions): { wake(): void; start(): Promise<void>; stop(): Promise<void> };
  /** What the followers of this process have read last. */
  recent: RecentEvents;
  publisher: { start(): Promise<void>; stop(): Promise<void> };
  routes(app: App): void;
  /** The lag of the publisher and of each follower, and their dead letters. */
  figures(): Promise<FollowerFigures[]>;
  /** Requests of the feed that are open in this process. */
  readers(): Promise<{ streams: number; polls: number }>;
};

/** Dead letters of this period make health degraded. */
const LATELY_MS = 24 * 3_600_000;

export function createEvents(platform: Platform, rights: RightsWatch): Events {
  const background = inBackground(platform);
  const outbox = createNotifier(background.sql, platform.log, 'order_outbox');
  const feed = createNotifier(background.sql, platform.log, 'order_events');
  const settings = FEED_SETTINGS;
  const hub = createFeedHub(platform, feed, settings, rights.catchUp);
  const polls = createOpenRequestLimiter(settings.pollsPerTenant, settings.polls);
  const streams = createOpenRequestLimiter(settings.streamsPerTenant, settings.streams);
  const followers: string[] = [];
  const recent = createRecentEvents();
  platform.jobs.every('drop-old-events', '41 1 * * *', () => dropOldEvents(background));
  return {
    outbox,
    feed,
    follow(options) {
      followers.push(options.name);
      return createFollower(background, feed, recent, options);
    },
    recent,
    publisher: createPublisher(background, outbox),
    routes: (app) => feedRoutes(app, platform, { hub, polls, streams, settings, rights }),
    readers: async () => ({ streams: streams.open(), polls: polls.open() }),
    figures() {
      const now = platform.clock.now();
      return readFollowerFigures(platform.sql, followers, now, new Date(now.getTime() - LATELY_MS));
    },
  };
}
