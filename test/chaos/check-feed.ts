import { setTimeout as pause } from 'node:timers/promises';
import type { Ordering } from '../../src/modules/orders/index.ts';
import { advanceOrdersIn, placeBatch, prepareBatch } from '../../src/modules/orders/index.ts';
import { inTransaction, type Sql } from '../../src/platform/database/index.ts';

export type FeedCheck = {
  eventsWritten: number;
  eventsRead: number;
  missing: number;
  doubled: number;
  outOfOrder: number;
  /** Events that readers got while a transaction elsewhere was held open. */
  readDuringHold: number;
};

export type FeedCheckOptions = {
  baseUrl: string;
  token: string;
  organizationId: string;
  sql: Sql;
  ordering: Ordering;
  events: number;
  writers: number;
  readers: number;
  longestPauseMs: number;
  holdMs: number;
};

type FeedEvent = {
  id: string;
  cursor: string;
  order_id: string;
  type: string;
  status_from: string;
  status_to: string;
};

const STEPS = ['READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'];

/**
 * Many writers that dawdle inside their transactions, so that commits come in another order than writes, and several
 * readers that follow the feed meanwhile. Every reader must see every event once, and each order's story in order.
 */
export async function checkFeed(options: FeedCheckOptions): Promise<FeedCheck> {
  const { sql, organizationId } = options;
  let budget = options.events;
  let writing = true;
  const take = (count: number) => {
    const taken = Math.min(count, budget);
    budget -= taken;
    return taken;
  };

  const holding = holdTransactionOpen(options);
  const stories: Promise<void>[] = Array.from({ length: options.writers }, (_, writer) => write(options, writer, take));
  const reading = Array.from({ length: options.readers }, () => follow(options, () => writing));
  await Promise.all(stories);
  const held = await holding;
  await allStamped(sql);
  writing = false;
  const readers = await Promise.all(reading);

  const written = await sql<{ event_id: string }[]>`
    select event_id from order_events where organization_id = ${organizationId} order by position`;
  const expected = written.map((row) => row.event_id);
  const check: FeedCheck = {
    eventsWritten: expected.length,
    eventsRead: readers.reduce((sum, reader) => sum + reader.events.length, 0),
    missing: 0,
    doubled: 0,
    outOfOrder: 0,
    readDuringHold: readers.reduce((sum, reader) => sum + reader.readBefore(held.endedAt), 0),
  };
  for (const { events } of readers) {
    const seen = new Set(events.map((event) => event.id));
    check.missing += expected.filter((id) => !seen.has(id)).length;
    check.doubled += events.length - seen.size;
    check.outOfOrder += countOutOfOrder(events);
  }
  return check;
}

function countOutOfOrder(events: FeedEvent[]): number {
  let wrong = 0;
  let lastCursor = '';
  const lastStatus = new Map<string, string>();
  for (const event of events) {
    if (event.cursor <= lastCursor) wrong += 1;
    lastCursor = event.cursor;
    const expectedFrom = event.type === 'order.created' ? undefined : lastStatus.get(event.order_id);
    if (event.type === 'order.created' ? lastStatus.has(event.order_id) : event.status_from !== expectedFrom)
      wrong += 1;
    lastStatus.set(event.order_id, event.status_to);
  }
  return wrong;
}

async function write(options: FeedCheckOptions, writer: number, take: (count: number) => number): Promise<void> {
  const { sql, ordering, organizationId, longestPauseMs } = options;
  const owner = { organizationId, branchId: null };
  let batch = 0;
  for (;;) {
    const count = take(1 + Math.floor(Math.random() * 25));
    if (count === 0) return;
    batch += 1;
    const keys = Array.from({ length: count }, (_, index) => `feed-${writer}-${batch}-${index}`);
    const prepared = await prepareBatch(ordering, owner, keys.map(orderOf));
    await inTransaction(sql, async (tx) => {
      await placeBatch(tx, ordering, prepared);
      await pause(Math.random() * longestPauseMs);
    });
    ordering.outbox.notify();
    const ids = await sql<{ id: string }[]>`
      select id from orders where organization_id = ${organizationId} and source = 'api'
      and source_transaction_id = any(${keys})`;
    for (const order_status of STEPS) {
      const moved = ids.slice(0, take(ids.length));
      if (moved.length === 0) break;
      await inTransaction(sql, async (tx) => {
        await advanceOrdersIn(
          tx,
          ordering,
          owner,
          moved.map(({ id }) => ({ id, order_status })),
        );
        await pause(Math.random() * longestPauseMs);
      });
      ordering.outbox.notify();
    }
  }
}

function orderOf(key: string) {
  return {
    source_transaction_id: key,
    order_status: 'RECEIVED',
    fulfillment_status: 'None',
    skus: ['s'],
    products: [{ product_id: 'p', sku_id: 's', quantity: 1, price: 1 }],
  };
}

/** An order that is written at the beginning and committed only after the hold. */
async function holdTransactionOpen({ sql, ordering, organizationId, holdMs }: FeedCheckOptions) {
  const prepared = await prepareBatch(ordering, { organizationId, branchId: null }, [orderOf('held-open')]);
  await inTransaction(sql, async (tx) => {
    // The service itself would be cut off: its connections may not be idle in a transaction for this long.
    await tx`select set_config('idle_in_transaction_session_timeout', '0', true)`;
    await placeBatch(tx, ordering, prepared);
    await pause(holdMs);
  });
  const endedAt = performance.now();
  ordering.outbox.notify();
  return { endedAt };
}

async function follow({ baseUrl, token }: FeedCheckOptions, goOn: () => boolean) {
  const events: FeedEvent[] = [];
  const readAt: number[] = [];
  let cursor = '';
  for (;;) {
    const wasWriting = goOn();
    const limit = 1 + Math.floor(Math.random() * 500);
    const response = await fetch(`${baseUrl}/api/v1/orders/changes?cursor=${cursor}&limit=${limit}&wait=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page = (await response.json()) as { events: FeedEvent[]; next_cursor: string; has_more: boolean };
    events.push(...page.events);
    readAt.push(...page.events.map(() => performance.now()));
    cursor = page.next_cursor;
    // Only a page that was asked for after the last event was stamped shows that there is no more.
    if (!wasWriting && page.events.length === 0) break;
  }
  return { events, readBefore: (at: number) => readAt.filter((time) => time < at).length };
}

async function allStamped(sql: Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ waiting: number }[]>`select count(*) as waiting from order_outbox`;
    if (row?.waiting === 0) return;
    await pause(20);
  }
}
