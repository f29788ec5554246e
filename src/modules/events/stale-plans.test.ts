import { expect, it } from 'vitest';
import { atEndOfFile } from '../../../test/harness/end-of-file.ts';
import { askGroup } from '../../../test/harness/group-server.ts';
import { connectPatiently, testDatabase } from '../../../test/harness/index.ts';
import { ensureWeeks, inTransactionByIndex, type Sql, weekStart } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { ORDER_CHANGE_WEEKS, ORDER_FEED_WEEKS } from './publisher.ts';
import { readFeed } from './sql/events.ts';
import { stampOnGroup, stampOutbox } from './sql/stamp-outbox.ts';

const EVENTS = 30_000;
const BATCH = 2_000;
/** It takes a tenth of a second; held against each other one by one, the rows took 30. */
const PATIENCE = '10s';

/** A single connection, whose plans are kept and whose statistics can be flushed. */
async function openConnection(): Promise<Sql> {
  const { url, sql: shared } = await testDatabase();
  const sql = connectPatiently(url, 1);
  sql.useLayout(shared.layout);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  return sql;
}

/** As the publisher does. */
const stamp = (sql: Sql, group: string, now: Date, limit = BATCH) =>
  sql.layout.isDistributed
    ? stampOnGroup(sql, group, now, limit)
    : inTransactionByIndex(sql, (tx) => stampOutbox(tx, group, now, limit));

/** A connection keeps its plan, and the outbox is empty nearly all of the time that plans are made. */
it('stamps a burst in one pass, although the plan was made for an empty outbox', async () => {
  const sql = await openConnection();
  const organizationId = newId();
  const group = sql.layout.groupOf(organizationId);
  const now = new Date();
  await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
  await sql`vacuum analyze order_outbox`;
  // From the sixth time on, the server no longer plans it anew.
  for (let count = 0; count < 8; count += 1) await stamp(sql, group, now);

  await sql`
    insert into order_outbox (tenant_group, organization_id, order_id, week)
    select ${group}, ${organizationId}, ${newId()}, ${now}::date from generate_series(1, ${EVENTS})`;
  await sql.unsafe(`set statement_timeout = '${PATIENCE}'`);
  expect((await stamp(sql, group, now))?.events).toBe(BATCH);
});

/** Each has a place of its own to be looked up: joined instead, every event would be held against every tenant. */
it('stamps a burst in which every event is of another tenant in one pass', async () => {
  const sql = await openConnection();
  const group = sql.layout.groupOf(newId());
  const tenants: string[] = [];
  for (let n = 1; tenants.length < BATCH; n += 1) {
    const id = `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
    if (sql.layout.groupOf(id) === group) tenants.push(id);
  }
  const now = new Date();
  await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
  await sql`vacuum analyze order_outbox, event_tenant_positions`;
  await sql.unsafe(`set statement_timeout = '${PATIENCE}'`);
  for (let count = 0; count < 8; count += 1) await stamp(sql, group, now);
  for (const round of [1, 2]) {
    await sql`
      insert into order_outbox (tenant_group, organization_id, order_id, week)
      select ${group}, id, ${newId()}, ${now}::date from unnest(${tenants}::uuid[]) as tenants (id)`;
    expect(await stamp(sql, group, now)).toMatchObject({ events: BATCH });
    const [places] = await sql`
      select count(*) as tenants, min(last_position) as least, max(last_position) as most from event_tenant_positions`;
    expect(places).toEqual({ tenants: BATCH, least: round, most: round });
  }
});

/** The text of each event is looked up by its key: joined by a scan instead, a page of the feed would read every event of the week. */
it('reads the feed by key, although the plan was made for empty tables', async () => {
  const sql = await openConnection();
  const now = new Date();
  await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
  await ensureWeeks(sql, ORDER_CHANGE_WEEKS, now);
  const [organizationId, orderId] = [newId(), newId()];
  const group = sql.layout.groupOf(organizationId);
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
    insert into order_changes (organization_id, id, week, order_id, type, occurred_us, tail) overriding system value
    select ${organizationId}, n, ${weekStart(now)}::date, ${orderId}, 'order.created', 1, '","order":{}}'
    from generate_series(1, ${EVENTS}) n`;
  await sql`
    insert into order_outbox (tenant_group, id, organization_id, order_id, week) overriding system value
    select ${group}, n, ${organizationId}, ${orderId}, ${weekStart(now)}::date from generate_series(1, ${EVENTS}) n`;
  await stamp(sql, group, now, EVENTS);
  const pagesRead = async () => {
    await askGroup(sql, group, sql`select 'flushed' as answer from pg_stat_force_next_flush()`);
    const pages = await askGroup(
      sql,
      group,
      sql`
        select sum(heap_blks_read + heap_blks_hit)::text as answer from pg_statio_user_tables
        where relname like 'order_changes%'`,
    );
    return Number(pages);
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
