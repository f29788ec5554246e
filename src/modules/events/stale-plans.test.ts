import { expect, it } from 'vitest';
import { atEndOfFile } from '../../../test/harness/end-of-file.ts';
import { connectPatiently, isOnCluster, testDatabase } from '../../../test/harness/index.ts';
import {
  ensureWeeks,
  inTransaction,
  inTransactionByIndex,
  ONE_GROUP,
  weekStart,
} from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { ORDER_CHANGE_WEEKS, ORDER_FEED_WEEKS } from './publisher.ts';
import { readFeed } from './sql/events.ts';
import { stampOutbox } from './sql/stamp-outbox.ts';

const EVENTS = 30_000;
const BATCH = 2_000;
/** It takes a tenth of a second; held against each other one by one, the rows took 30. */
const PATIENCE = '10s';

/** A connection keeps its plan, and the outbox is empty nearly all of the time that plans are made. */
it.skipIf(isOnCluster())('stamps a burst in one pass, although the plan was made for an empty outbox', async () => {
  const { url } = await testDatabase();
  const sql = connectPatiently(url, 1);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  const now = new Date();
  await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
  await sql`vacuum analyze order_outbox`;
  // From the sixth time on, the server no longer plans it anew.
  for (let count = 0; count < 8; count += 1) await inTransaction(sql, (tx) => stampOutbox(tx, ONE_GROUP, now, BATCH));

  await sql`
    insert into order_outbox (organization_id, order_id, week)
    select ${newId()}, ${newId()}, ${now}::date from generate_series(1, ${EVENTS})`;
  const stamped = await inTransaction(sql, async (tx) => {
    await tx`select set_config('statement_timeout', ${PATIENCE}, true)`;
    return stampOutbox(tx, ONE_GROUP, now, BATCH);
  });
  expect(stamped?.events).toBe(BATCH);
});

/** Each has a place of its own to be looked up: joined instead, every event would be held against every tenant. */
it.skipIf(isOnCluster())('stamps a burst in which every event is of another tenant in one pass', async () => {
  const { url } = await testDatabase();
  const sql = connectPatiently(url, 1);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  const now = new Date();
  await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
  await sql`vacuum analyze order_outbox, event_tenant_positions`;
  const stamp = () =>
    inTransactionByIndex(sql, async (tx) => {
      await tx`select set_config('statement_timeout', ${PATIENCE}, true)`;
      return stampOutbox(tx, ONE_GROUP, now, BATCH);
    });
  for (let count = 0; count < 8; count += 1) await stamp();
  for (const round of [1, 2]) {
    await sql`
      insert into order_outbox (organization_id, order_id, week)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${newId()}, ${now}::date
      from generate_series(1, ${BATCH}) n`;
    expect(await stamp()).toMatchObject({ events: BATCH });
    const [places] = await sql`
      select count(*) as tenants, min(last_position) as least, max(last_position) as most from event_tenant_positions`;
    expect(places).toEqual({ tenants: BATCH, least: round, most: round });
  }
});

/** The text of each event is looked up by its key: joined by a scan instead, a page of the feed would read every event of the week. */
it.skipIf(isOnCluster())('reads the feed by key, although the plan was made for empty tables', async () => {
  const { url } = await testDatabase();
  const sql = connectPatiently(url, 1);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  const now = new Date();
  await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
  await ensureWeeks(sql, ORDER_CHANGE_WEEKS, now);
  const organizationId = newId();
  const page = (afterPosition: number) =>
    readFeed(sql, {
      organizationId,
      branchId: null,
      afterPosition,
      upToPosition: EVENTS,
      stampedFrom: new Date(now.getTime() - 1_000),
      types: [],
      limit: 500,
      maxBytes: 1_000_000,
    });
  for (let count = 0; count < 8; count += 1) expect(await page(0)).toEqual([]);
  await sql`
    with changes as (
      insert into order_changes (organization_id, week, order_id, type, occurred_us, tail)
      select ${organizationId}, ${weekStart(now)}::date, ${newId()}, 'order.created', 1, '","order":{}}'
      from generate_series(1, ${EVENTS}) returning *)
    insert into order_outbox (id, organization_id, order_id, week) overriding system value
    select id, organization_id, order_id, week from changes`;
  await inTransaction(sql, (tx) => stampOutbox(tx, ONE_GROUP, now, EVENTS));
  const pagesRead = async () => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<{ pages: number }[]>`
      select sum(heap_blks_read + heap_blks_hit)::int as pages from pg_statio_user_tables where relname like 'order_changes%'`;
    return row?.pages ?? 0;
  };
  const before = await pagesRead();
  const found = await page(EVENTS / 2);
  expect(found).toHaveLength(500);
  expect(JSON.parse(found[0]?.body ?? '')).toMatchObject({
    organization_id: organizationId,
    type: 'order.created',
    order: {},
  });
  // One page of the table for each event at most, and a scan would read a hundred times as many rows.
  expect((await pagesRead()) - before).toBeLessThanOrEqual(1_500);
});
