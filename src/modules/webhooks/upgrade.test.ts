import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { ensureWeeks, inTransaction, migrate } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import { LANE, LANE_ROOM } from './delivery.ts';
import { DELIVERY_WEEKS } from './delivery-weeks.ts';
import { insertDeliveries } from './sql/deliveries.ts';
import { insertSubscription } from './sql/subscriptions.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { newDelivery } from './testing/workshop.ts';

it('what was being sent during an upgrade is taken over when its lease runs out', async () => {
  // Leases in the queue's own rows.
  const { sql } = await databaseBefore('0008');
  const now = new Date();
  const soon = new Date(now.getTime() + 30_000);
  await ensureWeeks(sql, DELIVERY_WEEKS, now);
  const organization_id = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now });
  const id = newId();
  await inTransaction(sql, async (tx) => {
    const secret = { secret: Buffer.from('sealed'), secret_hint: 'hint' };
    const target = { url: 'https://hooks.example.com/', description: '', event_types: [] };
    await insertSubscription(tx, { organization_id, id, ...target, ...secret, created: now });
    await insertDeliveries(
      tx,
      [1, 2, 3].map(() => newDelivery(organization_id, id, now)),
    );
  });
  await sql`update webhook_lanes set max_in_flight = 48, in_flight = 2 where lane = ${LANE.first}`;
  await sql`
    update webhook_queue set claim_id = ${newId()}, claimed_at = ${now}, lease_until = ${soon}
    where delivery_id in (select delivery_id from webhook_queue limit 2)`;

  expect(await migrate(sql, MIGRATIONS_FOLDER)).toContain('0008_webhook_leases.sql');
  expect(await sweepDeliveries(sql, now)).toMatchObject({ takenOver: 0 });
  expect(await sweepDeliveries(sql, new Date(soon.getTime() + 1))).toMatchObject({ takenOver: 2 });
  const lanes = await sql`select in_flight, max_in_flight from webhook_lanes where lane = ${LANE.first}`;
  expect(lanes).toEqual([{ in_flight: 0, max_in_flight: LANE_ROOM.healthy[LANE.first] }]);
  const [left] = await sql`
    select count(*) as waiting, count(*) filter (where claim_id is null) as free from webhook_queue`;
  expect(left).toEqual({ waiting: 3, free: 3 });
});
