import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { call, testAccount, testService } from '../../../test/harness/index.ts';
import { ensureWeeks, migrate, type Sql } from '../../platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import { formatCursor } from './cursor.ts';
import { BODY_START } from './outbox-entry.ts';
import { ORDER_EVENT_WEEKS } from './publisher.ts';
import { writeChanges } from './testing/write-changes.ts';

const PATIENCE = { timeout: 180_000, interval: 20 };
/** What the publisher did before, in short. */
async function stampAsBefore(sql: Sql, now: Date): Promise<void> {
  const seconds = Math.floor(now.getTime() / 1000);
  await sql`
    with taken as (delete from order_outbox returning *),
    placed as (
      select t.*, e.last_position + row_number() over (order by t.id) as position from taken t cross join event_positions e
    ), stamped as (
      insert into order_events
        (organization_id, position, event_id, order_id, branch_id, type, occurred_at, stamped_at, body)
      select organization_id, position, 'evt_' || occurred_us || '_' || position, order_id, branch_id, type, occurred_at,
             ${now}, ${BODY_START}::text || 'evt_' || occurred_us || '_' || position || head
               || lpad(position::text, 16, '0') || '_' || ${seconds}::int || tail
      from placed returning 1
    )
    update event_positions set last_position = last_position + (select count(*) from stamped)`;
}

it('delivers every event once across an upgrade, whatever cursor a client holds', async () => {
  // One count of events for all tenants.
  const database = await databaseBefore('0010');
  const { sql } = database;
  const now = new Date();
  await ensureWeeks(sql, ORDER_EVENT_WEEKS, now);
  const [shop, idle] = [
    await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now }),
    await createOrganization(sql, { nameEn: 'Idle', nameAr: 'هادئ', now }),
  ];
  const neighbour = await createOrganization(sql, { nameEn: 'Neighbour', nameAr: 'جار', now });
  const before: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    before.push(...(await writeChanges(sql, shop, [{}])));
    await writeChanges(sql, neighbour, [{}, {}]);
    await stampAsBefore(sql, now);
  }
  // Places of 1, 4 and 7; nine in all, which is what `next_cursor` said at the end of every tenant's feed.
  const endBefore = formatCursor({ position: 9, stampedSeconds: Math.floor(now.getTime() / 1000) });
  const unstamped = await writeChanges(sql, shop, [{}]);

  const service = await testService({}, { database });
  const after = await writeChanges(sql, shop, [{}, {}]);
  const ofIdle = await writeChanges(sql, idle, [{}]);
  const account = await testAccount(sql, shop);
  const read = async (cursor: string, token = account.token) =>
    (await call(service.baseUrl, `GET /orders/changes?cursor=${cursor}`, { token })).body.events;
  await expect.poll(async () => (await read('')).length, PATIENCE).toBe(6);

  const all = await read('');
  const orders = all.map((event: { order_id: string }) => event.order_id);
  expect(orders).toEqual([...before, ...unstamped, ...after]);
  const cursors = all.map((event: { cursor: string }) => event.cursor);
  expect(cursors.toSorted()).toEqual(cursors);
  for (const [index, cursor] of cursors.entries()) {
    expect((await read(cursor)).map((event: { order_id: string }) => event.order_id)).toEqual(orders.slice(index + 1));
  }
  expect((await read(endBefore)).map((event: { order_id: string }) => event.order_id)).toEqual(orders.slice(3));

  const { token } = await testAccount(sql, idle);
  const idleEvents = await read(endBefore, token);
  expect(idleEvents.map((event: { order_id: string }) => event.order_id)).toEqual(ofIdle);
});

it('rejects stamps of the previous release’s publisher after the upgrade', async () => {
  const { sql } = await databaseBefore('0010');
  const now = new Date();
  await ensureWeeks(sql, ORDER_EVENT_WEEKS, now);
  const shop = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now });
  await writeChanges(sql, shop, [{}]);
  await stampAsBefore(sql, now);
  expect(await migrate(sql, MIGRATIONS_FOLDER)).toContain('0010_feed.sql');
  await writeChanges(sql, shop, [{}]);
  await expect(stampAsBefore(sql, now)).rejects.toThrow('order_events_have_tenant_position');
});
