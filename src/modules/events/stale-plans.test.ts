import { expect, it } from 'vitest';
import { atEndOfFile } from '../../../test/harness/end-of-file.ts';
import { connectPatiently, testDatabase } from '../../../test/harness/index.ts';
import { byIndexOnly, ensureWeeks, inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { ORDER_EVENT_WEEKS } from './publisher.ts';
import { stampOutbox } from './sql/events.ts';

const EVENTS = 30_000;
const BATCH = 2_000;
const BATCH_BYTES = 16 * 1024 * 1024;
/** It takes a tenth of a second; held against each other one by one, the rows took 30. */
const PATIENCE = '10s';

/** A connection keeps its plan, and the outbox is empty nearly all of the time that plans are made. */
it('stamps a burst in one pass, although the plan was made for an empty outbox', async () => {
  const { url } = await testDatabase();
  const sql = connectPatiently(url, 1);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  const now = new Date();
  await ensureWeeks(sql, ORDER_EVENT_WEEKS, now);
  await sql`vacuum analyze order_outbox`;
  // From the sixth time on, the server no longer plans it anew.
  for (let count = 0; count < 8; count += 1) await inTransaction(sql, (tx) => stampOutbox(tx, now, BATCH, BATCH_BYTES));

  await sql`
    insert into order_outbox (organization_id, order_id, branch_id, type, occurred_at, occurred_us, head, tail)
    select ${newId()}, ${newId()}, null, 'order.created', ${now}, 1, '', '' from generate_series(1, ${EVENTS})`;
  const stamped = await inTransaction(sql, async (tx) => {
    await tx`select set_config('statement_timeout', ${PATIENCE}, true)`;
    return stampOutbox(tx, now, BATCH, BATCH_BYTES);
  });
  expect(stamped.events).toBe(BATCH);
});

/** Each has a place of its own to be looked up: joined instead, every event would be held against every tenant. */
it('stamps a burst in which every event is of another tenant in one pass', async () => {
  const { url } = await testDatabase();
  const sql = connectPatiently(url, 1);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  const now = new Date();
  await ensureWeeks(sql, ORDER_EVENT_WEEKS, now);
  await sql`vacuum analyze order_outbox, event_tenant_positions`;
  const stamp = () =>
    inTransaction(sql, async (tx) => {
      await byIndexOnly(tx);
      await tx`select set_config('statement_timeout', ${PATIENCE}, true)`;
      return stampOutbox(tx, now, BATCH, BATCH_BYTES);
    });
  for (let count = 0; count < 8; count += 1) await stamp();
  for (const round of [1, 2]) {
    await sql`
      insert into order_outbox (organization_id, order_id, branch_id, type, occurred_at, occurred_us, head, tail)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${newId()}, null, 'order.created', ${now}, 1, '', ''
      from generate_series(1, ${BATCH}) n`;
    expect(await stamp()).toMatchObject({ events: BATCH });
    const [places] = await sql`
      select count(*) as tenants, min(last_position) as least, max(last_position) as most from event_tenant_positions`;
    expect(places).toEqual({ tenants: BATCH, least: round, most: round });
  }
});

it('ends a batch early when its events are large', async () => {
  const { url } = await testDatabase();
  const sql = connectPatiently(url, 1);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  const now = new Date();
  await ensureWeeks(sql, ORDER_EVENT_WEEKS, now);
  await sql`
    insert into order_outbox (organization_id, order_id, branch_id, type, occurred_at, occurred_us, head, tail)
    select ${newId()}, ${newId()}, null, 'order.created', ${now}, 1, '', repeat('x', 1000) from generate_series(1, 10)`;
  const stamp = () => inTransaction(sql, (tx) => stampOutbox(tx, now, BATCH, 4_000));
  expect([await stamp(), await stamp(), await stamp(), await stamp()].map(({ events }) => events)).toEqual([
    4, 4, 2, 0,
  ]);
});
