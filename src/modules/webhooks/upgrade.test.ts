import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject, it } from 'vitest';
import { databaseUrl } from '../../../test/harness/global-setup.ts';
import { connectDatabase, ensureWeeks, inTransaction, migrate } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { createOrganization } from '../identity/index.ts';
import { LANE, LANE_ROOM } from './delivery.ts';
import { DELIVERY_WEEKS } from './delivery-weeks.ts';
import { insertDeliveries } from './sql/deliveries.ts';
import { insertSubscription } from './sql/subscriptions.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { newDelivery } from './testing/workshop.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** As the release before left it: leases in the queue's own rows. */
async function databaseBeforeLeases() {
  const admin = connectDatabase(inject('serverUrl'), { poolSize: 1, applicationName: 'tests' });
  undo.push(() => admin.end());
  const name = `dukkan_u_${randomBytes(6).toString('hex')}`;
  await admin`create database ${admin(name)}`;
  undo.push(() => admin`drop database if exists ${admin(name)} with (force)`);
  const sql = connectDatabase(databaseUrl(inject('serverUrl'), name), { poolSize: 2, applicationName: 'tests' });
  undo.push(() => sql.end({ timeout: 1 }));
  const earlier = await mkdtemp(path.join(tmpdir(), 'dukkan-migrations-'));
  undo.push(() => rm(earlier, { recursive: true, force: true }));
  await cp(MIGRATIONS, earlier, {
    recursive: true,
    filter: (file) => !path.basename(file).endsWith('.sql') || path.basename(file) < '0008',
  });
  await migrate(sql, earlier);
  return sql;
}

it('what was being sent during an upgrade is taken over when its lease runs out', async () => {
  const sql = await databaseBeforeLeases();
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

  expect(await migrate(sql, MIGRATIONS)).toContain('0008_webhook_leases.sql');
  expect(await sweepDeliveries(sql, now)).toMatchObject({ takenOver: 0 });
  expect(await sweepDeliveries(sql, new Date(soon.getTime() + 1))).toMatchObject({ takenOver: 2 });
  const lanes = await sql`select in_flight, max_in_flight from webhook_lanes where lane = ${LANE.first}`;
  expect(lanes).toEqual([{ in_flight: 0, max_in_flight: LANE_ROOM.healthy[LANE.first] }]);
  const [left] = await sql`
    select count(*) as waiting, count(*) filter (where claim_id is null) as free from webhook_queue`;
  expect(left).toEqual({ waiting: 3, free: 3 });
});
