import { afterAll, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, ensureWeeks, inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { ORDER_EVENT_WEEKS } from './publisher.ts';
import { stampOutbox } from './sql.ts';

const EVENTS = 30_000;
const BATCH = 2_000;
const BATCH_BYTES = 16 * 1024 * 1024;
/** It takes a tenth of a second; held against each other one by one, the rows took 30. */
const PATIENCE = '10s';

/** A connection keeps its plan, and the outbox is empty nearly all of the time that plans are made. */
it('a burst is stamped in one pass, though the plan was made for an empty outbox', async () => {
  const { url } = await testDatabase();
  const sql = connectDatabase(url, { poolSize: 1, applicationName: 'tests' });
  afterAll(() => sql.end({ timeout: 1 }));
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
