import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { call, testAccount, testService } from '../../../test/harness/index.ts';
import { ensureWeeks, migrate, type Sql } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import { formatCursor } from './cursor.ts';
import { formatMicroseconds, outboxEntry } from './outbox-entry.ts';
import { writeChanges } from './testing/write-changes.ts';

const POLL_OPTIONS = { interval: 20 };
const EVENT_WEEKS_BEFORE = { name: 'order_events', fillPercent: 100 };
const BODY_START = '{"spec_version":"2026-09-29","id":"';

/** A change as writers left it in the outbox, with the text on both sides of its cursor. Returns the id of its order. */
async function writeAsBefore(sql: Sql, organizationId: string): Promise<string> {
  const occurredAtUs = BigInt(Date.now()) * 1000n;
  const occurredAt = formatMicroseconds(occurredAtUs);
  const orderId = newId();
  const { tail, ...entry } = outboxEntry({
    organizationId,
    orderId,
    branchId: null,
    type: 'order.created',
    occurredAtUs,
    changedFields: [],
    statusFrom: '',
    statusTo: 'received',
    paymentStatusFrom: '',
    paymentStatusTo: 'pending',
    orderJson: `{"id":"${orderId}"}`,
  });
  const head = `","type":"order.created","occurred_at":"${occurredAt}","organization_id":"${organizationId}","cursor":"`;
  await sql`insert into order_outbox ${sql({ ...entry, occurred_at: occurredAt, head, tail })}`;
  return orderId;
}

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
  await ensureWeeks(sql, EVENT_WEEKS_BEFORE, now);
  const [shop, idle] = [
    await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now }),
    await createOrganization(sql, { nameEn: 'Idle', nameAr: 'هادئ', now }),
  ];
  const neighbour = await createOrganization(sql, { nameEn: 'Neighbour', nameAr: 'جار', now });
  const before: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    before.push(await writeAsBefore(sql, shop));
    await writeAsBefore(sql, neighbour);
    await writeAsBefore(sql, neighbour);
    await stampAsBefore(sql, now);
  }
  // Places of 1, 4 and 7; nine in all, which is what `next_cursor` said at the end of every tenant's feed.
  const endBefore = formatCursor({ position: 9, stampedSeconds: Math.floor(now.getTime() / 1000) });
  const unstamped = await writeAsBefore(sql, shop);

  const service = await testService({}, { database });
  const after = await writeChanges(sql, shop, [{}, {}]);
  const ofIdle = await writeChanges(sql, idle, [{}]);
  const account = await testAccount(sql, shop);
  const read = async (cursor: string, token = account.token) =>
    (await call(service.baseUrl, `GET /orders/changes?cursor=${cursor}`, { token })).body.events;
  await expect.poll(async () => (await read('')).length, POLL_OPTIONS).toBe(6);

  const all = await read('');
  const orders = all.map((event: { order_id: string }) => event.order_id);
  expect(orders).toEqual([...before, unstamped, ...after]);
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

it('serves events from before the upgrade byte for byte, and those of the outbox as their release would have', async () => {
  const database = await databaseBefore('0044');
  const { sql } = database;
  const now = new Date();
  await ensureWeeks(sql, EVENT_WEEKS_BEFORE, now);
  const shop = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now });
  const stamped = [await writeAsBefore(sql, shop), await writeAsBefore(sql, shop)];
  const seconds = Math.floor(now.getTime() / 1000);
  await sql`
    with taken as (delete from order_outbox returning *), placed as (
      select t.*, row_number() over (order by id) as place, 'evt_' || occurred_us || '_' || row_number() over (order by id) as event_id
      from taken t
    ), stamped as (
      insert into order_events (organization_id, position, tenant_position, outbox_id, event_id, order_id, branch_id, type,
        occurred_at, stamped_at, body)
      select organization_id, place, place, id, event_id, order_id, branch_id, type, occurred_at, ${now},
             ${BODY_START}::text || event_id || head || lpad(place::text, 16, '0') || '_' || ${seconds}::int || tail
      from placed
    ), moved as (update event_positions set last_position = 2)
    insert into event_tenant_positions (organization_id, last_position) values (${shop}, 2)`;
  const bodies = (await sql<{ body: string }[]>`select body from order_events order by position`).map(
    (row) => row.body,
  );
  const unstamped = await writeAsBefore(sql, shop);
  const [left] = await sql<{ head: string; tail: string }[]>`select head, tail from order_outbox`;

  const service = await testService({}, { database });
  const { token } = await testAccount(sql, shop);
  const read = () => call(service.baseUrl, 'GET /orders/changes', { token });
  await expect.poll(async () => (await read()).body.events.length, POLL_OPTIONS).toBe(3);
  const { text, body } = await read();
  expect(body.events.map((event: { order_id: string }) => event.order_id)).toEqual([...stamped, unstamped]);
  for (const before of bodies) expect(text).toContain(before);
  const { id, cursor } = body.events[2];
  expect(cursor).toMatch(/^0{15}3_/);
  expect(text).toContain(`${BODY_START}${id}${left?.head}${cursor}${left?.tail}`);
});

it('rejects stamps of the previous release’s publisher after the upgrade', async () => {
  const { sql } = await databaseBefore('0010');
  const now = new Date();
  await ensureWeeks(sql, EVENT_WEEKS_BEFORE, now);
  const shop = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now });
  await writeAsBefore(sql, shop);
  await stampAsBefore(sql, now);
  expect(await migrate(sql, MIGRATIONS_FOLDER)).toContain('0010_feed.sql');
  await writeChanges(sql, shop, [{}]);
  await expect(stampAsBefore(sql, now)).rejects.toThrow();
  expect(await sql`select 1 from order_outbox`).toHaveLength(1);
});
