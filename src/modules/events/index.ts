import { createWakeUp, type WakeUp } from '../../platform/background/index.ts';
import type { App } from '../../platform/http/app.ts';
import type { Platform } from '../../platform/platform.ts';
import { createFeedWaiters } from './feed-waiters.ts';
import { createFollower, type FollowerOptions } from './follower.ts';
import { createPublisher, dropOldEvents } from './publisher.ts';
import { feedRoutes } from './routes.ts';

export { formatCursor } from './cursor.ts';
export { EVENT_SPEC_VERSION, EVENT_TYPES, type EventType } from './event-types.ts';
export { formatMicroseconds, type OrderChange, type OutboxEntry, outboxEntry } from './outbox-entry.ts';
export { lockFollower, readPositions, readTimeline, type StampedEvent, type TimelineKey } from './sql.ts';

export type Events = {
  /** Rung by whoever has committed to the outbox. */
  outbox: WakeUp;
  /** Rings when events have got their places. */
  feed: WakeUp;
  follow(options: FollowerOptions): { wake(): void; start(): Promise<void>; stop(): Promise<void> };
  publisher: { start(): Promise<void>; stop(): Promise<void> };
  routes(app: App): void;
};

export function createEvents(platform: Platform): Events {
  const outbox = createWakeUp(platform.sql, platform.log, 'order_outbox');
  const feed = createWakeUp(platform.sql, platform.log, 'order_events');
  const waiters = createFeedWaiters(feed);
  platform.jobs.every('drop-old-events', '41 1 * * *', () => dropOldEvents(platform));
  return {
    outbox,
    feed,
    follow: (options) => createFollower(platform, feed, options),
    publisher: createPublisher(platform, outbox),
    routes: (app) => feedRoutes(app, platform, waiters),
  };
}
