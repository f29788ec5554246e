import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { testDatabase } from '../../../test/harness/index.ts';
import { ensureWeeks, inTransaction, migrate } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import { IN_FLIGHT_LIMITS, PRIORITY } from './delivery.ts';
import { DELIVERY_WEEKS } from './delivery-weeks.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

it('takes over deliveries that were in flight during an upgrade when their leases end', async () => {
  // Leases are columns of the queue's rows at this level.
  const { sql } = await databaseBefore('0008');
  const now = new Date();
  const soon = new Date(now.getTime() + 30_000);
  await ensureWeeks(sql, DELIVERY_WEEKS, now);
  const organization = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now });
  const subscription = newId();
  await sql`
    insert into webhook_subscriptions (organization_id, id, url, secret, secret_hint, created, updated)
    values (${organization}, ${subscription}, 'https://hooks.example.com/', 'sealed', 'hint', ${now}, ${now})`;
  await sql`
    insert into webhook_lanes (subscription_id, lane, organization_id, due_at, in_flight, max_in_flight)
    values (${subscription}, 0, ${organization}, ${now}, 2, 48), (${subscription}, 1, ${organization}, null, 0, 12)`;
  for (const isClaimed of [true, true, false]) {
    const id = newId();
    await sql`
      insert into webhook_deliveries (organization_id, subscription_id, id, event_id, event_type, own_body, status, created)
      values (${organization}, ${subscription}, ${id}, 'evt_1', 'order.created', '{}', 'pending', ${now})`;
    await sql`
      insert into webhook_queue (delivery_id, organization_id, subscription_id, delivery_created, event_id, event_type,
        lane, due_at, retries_left, claim_id, claimed_at, lease_until)
      values (${id}, ${organization}, ${subscription}, ${now}, 'evt_1', 'order.created', 0, ${now}, 7,
              ${isClaimed ? newId() : null}, ${isClaimed ? now : null}, ${isClaimed ? soon : null})`;
  }

  expect(await migrate(sql, MIGRATIONS_FOLDER)).toContain('0008_webhook_leases.sql');
  const late = new Date(soon.getTime() + 1);
  expect(await sweepDeliveries(sql, now)).toMatchObject({ takenOver: 0 });
  // Each of the two was claimed by itself, and one lease is taken over at a time.
  expect(await sweepDeliveries(sql, late)).toMatchObject({ takenOver: 1 });
  expect(await sweepDeliveries(sql, late)).toMatchObject({ takenOver: 1 });
  const queues = await sql`
    select in_flight, max_in_flight from webhook_subscription_queues where priority = ${PRIORITY.first}`;
  expect(queues).toEqual([{ in_flight: 0, max_in_flight: IN_FLIGHT_LIMITS.healthy[PRIORITY.first] }]);
  const [left] = await sql`
    select count(*) as waiting, count(*) filter (where claim_id is null) as free from webhook_queued_deliveries`;
  expect(left).toEqual({ waiting: 3, free: 3 });
});

it('runs the statements of the previous release through the views that keep the old names', async () => {
  const { sql } = await testDatabase();
  const [organization, subscription, delivery, claim] = [newId(), newId(), newId(), newId()];
  const now = new Date();
  const requeue = () => sql`
    insert into webhook_queue as q (delivery_id, organization_id, subscription_id, delivery_created, event_id, event_type,
      lane, due_at, retries_left)
    values (${delivery}, ${organization}, ${subscription}, ${now}, 'evt_1', 'order.created', 0, ${now}, 7)
    on conflict (delivery_id) do update set due_at = excluded.due_at, lane = 2 where q.claim_id is null returning q.lane`;

  await sql`
    insert into webhook_lanes (subscription_id, lane, organization_id, max_in_flight)
    values (${subscription}, 0, ${organization}, 96)`;
  expect([...(await requeue()), ...(await requeue())]).toEqual([{ lane: 0 }, { lane: 2 }]);
  await inTransaction(sql, async (tx) => {
    const locked = await tx`
      select l.lane, l.state from webhook_lanes l where l.subscription_id = ${subscription}
      order by l.due_at for update of l skip locked`;
    expect(locked).toEqual([{ lane: 0, state: 'open' }]);
    const claimed = await tx`
      with found as (select q.ctid as row from webhook_queue q where q.subscription_id = ${subscription})
      update webhook_queue q set claim_id = ${claim} from found f where q.ctid = f.row returning q.delivery_id`;
    expect(claimed).toEqual([{ delivery_id: delivery }]);
    await tx`update webhook_lanes l set in_flight = l.in_flight + 1 where l.subscription_id = ${subscription}`;
  });
  const [row] = await sql`
    select s.in_flight, q.claim_id, q.priority from webhook_subscription_queues s
    join webhook_queued_deliveries q using (subscription_id) where subscription_id = ${subscription}`;
  expect(row).toEqual({ in_flight: 1, claim_id: claim, priority: 2 });
  await sql`delete from webhook_queue where delivery_id = ${delivery}`;
  await sql`delete from webhook_lanes where subscription_id = ${subscription}`;
  expect(await sql`select from webhook_queued_deliveries where delivery_id = ${delivery}`).toEqual([]);
});
