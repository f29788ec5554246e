import { randomBytes } from 'node:crypto';
import { createOrganization } from '../../src/modules/identity/index.ts';
import { claimDeliveries } from '../../src/modules/webhooks/claim-deliveries.ts';
import { DELIVERY_WEEKS } from '../../src/modules/webhooks/delivery-weeks.ts';
import { createInFlight } from '../../src/modules/webhooks/in-flight.ts';
import { insertDeliveries } from '../../src/modules/webhooks/sql/deliveries.ts';
import { insertSubscription } from '../../src/modules/webhooks/sql/subscriptions.ts';
import { connectDatabase, ensureWeeks, inTransaction, migrate, type Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import type { Frame } from '../frame/frame.ts';
import { besideDatabase } from '../frame/given-server.ts';
import type { BenchService } from '../frame/start-service.ts';
import { createLatencies } from '../load/latencies.ts';
import type { Sample } from '../load/plan.ts';

const BATCH = 5_000;
const CLAIMED_EACH = 32;
const CHURNED = ['webhook_queued_deliveries', 'webhook_subscription_queues', 'webhook_leases'];

/** A database of its own beside the service's, where no other process claims, with so many deliveries waiting. */
export async function openPending(frame: Frame, service: BenchService, pending: number): Promise<Sql> {
  const name = `dukkan_bench_pending_${pending}_${randomBytes(6).toString('hex')}`;
  await service.sql`create database ${service.sql(name)}`;
  frame.atEnd(async () => void (await service.sql`drop database if exists ${service.sql(name)} with (force)`));
  const address = besideDatabase(service.address, name);
  const sql = connectDatabase(address, { poolSize: 4, applicationName: 'bench' });
  frame.atEnd(() => sql.end({ timeout: 1 }));
  await migrate(sql, MIGRATIONS_FOLDER);
  const now = new Date();
  await ensureWeeks(sql, DELIVERY_WEEKS, now);
  const organization_id = await createOrganization(sql, { nameEn: 'Bench', nameAr: 'قياس', now });
  const subscription_id = newId();
  await inTransaction(sql, (tx) =>
    insertSubscription(tx, {
      organization_id,
      id: subscription_id,
      url: 'https://hooks.example.com/',
      description: '',
      event_types: [],
      secret: Buffer.from('sealed'),
      secret_hint: 'hint',
      created: now,
    }),
  );
  for (let made = 0; made < pending; made += BATCH) {
    const deliveries = Array.from({ length: Math.min(BATCH, pending - made) }, () => ({
      organization_id,
      subscription_id,
      id: newId(),
      event_id: 'evt_1_1',
      event_type: 'order.created',
      event_position: null,
      own_body: '{}',
      status: 'pending' as const,
      priority: 0,
      retries_left: 7,
      created: new Date(),
    }));
    await inTransaction(sql, (tx) => insertDeliveries(tx, deliveries));
  }
  // Cleared up after each measurement instead: by itself the server would do it while another case is being measured.
  for (const table of CHURNED) await sql`alter table ${sql(table)} set (autovacuum_enabled = false)`;
  await sql`vacuum analyze`;
  return sql;
}

/** One claim after the other, each put back behind the others outside the measurement: as many wait after as before. */
export async function claimInTurn(sql: Sql, seconds: number): Promise<Sample> {
  const latencies = createLatencies();
  let spentMs = 0;
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; ) {
    const now = new Date();
    const beganMs = performance.now();
    const { deliveries } = await claimDeliveries(sql, createInFlight(), {
      claimId: newId(),
      now,
      leaseUntil: new Date(now.getTime() + 30_000),
      maxItems: CLAIMED_EACH,
      maxRetries: CLAIMED_EACH,
      freeSlots: 512,
      includesFailing: true,
    });
    const tookMs = performance.now() - beganMs;
    latencies.record(tookMs);
    spentMs += tookMs;
    if (deliveries.length !== CLAIMED_EACH) throw new Error(`claimed ${deliveries.length} of ${CLAIMED_EACH}`);
    await giveBack(sql, deliveries[0]?.claim.claim_id ?? '');
  }
  await sql`vacuum ${sql(CHURNED)}`;
  const count = latencies.count();
  return {
    count,
    perSecond: (count * 1000) / spentMs,
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    failed: 0,
  };
}

async function giveBack(sql: Sql, claimId: string): Promise<void> {
  const now = new Date();
  await inTransaction(sql, async (tx) => {
    await tx`
      update webhook_queued_deliveries q set claim_id = null, due_at = ${now}
      from webhook_leases l where l.claim_id = ${claimId} and q.delivery_id = any(l.delivery_ids)`;
    await tx`delete from webhook_leases`;
    await tx`update webhook_subscription_queues set in_flight = 0, due_at = least(due_at, ${now}) where in_flight > 0`;
  });
}
