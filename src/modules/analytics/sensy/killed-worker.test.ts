import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { heldTransaction } from '../../identity/testing/held-transaction.ts';
import { seedCatalog } from '../../skus/testing/catalog.ts';
import { startWorkerProcess, type WorkerProcess } from '../../webhooks/testing/worker-process.ts';
import { HEADER, openDemandShop, pastOf } from '../testing/demand-shop.ts';
import { REFRESH_JOB } from './refresh-forecasts.ts';

/** API only; workers run in child processes that the test can kill. */
const shop = await openDemandShop({ DUKKAN_ROLES: 'api' }, systemClock());
const { service, ask, upload, jobOf } = shop;
const { sql } = service;
const organizationId = shop.shop.id;
const running = new Set<WorkerProcess>();
afterAll(() => Promise.all([...running].map((worker) => worker.end('SIGKILL'))));

async function startWorker(): Promise<WorkerProcess> {
  const worker = await startWorkerProcess({
    DATABASE_URL: service.databaseUrl,
    DUKKAN_SECRET: service.platform.secret,
    DUKKAN_DATA_DIR: service.dataDir,
    METRICS_PORT: 'off',
  });
  running.add(worker);
  return worker;
}

/** Kills a worker that waits for a row that is held here, in the middle of its transaction. */
async function killWhileHeld(hold: (tx: Tx) => Promise<unknown>): Promise<void> {
  const held = await heldTransaction(sql, hold);
  const worker = await startWorker();
  await expect
    .poll(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length;
    })
    .toBeGreaterThan(0);
  await worker.end('SIGKILL');
  running.delete(worker);
  await held.commit();
  // Fifteen seconds of silence stand for a dead worker; here they pass at once.
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '15 seconds' where state = 'active'`;
}

describe('a worker that is killed', () => {
  it('during an upload has saved nothing, and another worker saves all rows', async () => {
    const reply = await upload(`${HEADER}\n${pastOf('MILK_RUH-1', 10, '30,12,4', '2025-01-10')}\n`);
    await killWhileHeld((tx) => tx`select from skus where iv_id = 'MILK_RUH-1' for update`);
    expect(await sql`select from demand_days where organization_id = ${organizationId}`).toEqual([]);
    expect((await ask(`GET /jobs/${reply.body.data.job_id}`)).body.status).toBe('running');
    await startWorker();
    expect((await jobOf(reply)).result).toMatchObject({ rows: 120, saved: 120, forecasts: 'refreshed' });
    expect(await sql`select from demand_days where organization_id = ${organizationId}`).toHaveLength(120);
  });

  it('during a refresh leaves complete rows, and another worker continues from its position', async () => {
    const products = Array.from({ length: 300 }, (_, number) => ({ iv_id: `Q${String(number).padStart(3, '0')}` }));
    await seedCatalog(sql, organizationId, { products, branches: ['DMM-1'] }, new Date('2024-11-01T00:00:00Z'));
    const rows = products.flatMap(({ iv_id }) => [`${iv_id}_DMM-1,2025-01-08,3`, `${iv_id}_DMM-1,2025-01-09,4`]);
    await jobOf(await upload(`sku_id,sale_date,qty\n${rows.join('\n')}\n`));
    const passes = () => sql<{ pass: number; skus: number }[]>`
      select pass, count(*) as skus from forecasts where organization_id = ${organizationId} group by pass order by pass`;
    const [{ pass: first } = { pass: 0 }] = await passes();
    expect(await passes()).toEqual([{ pass: first, skus: 301 }]);
    for (const worker of running) await worker.end('SIGKILL');
    running.clear();

    await ask('PATCH /analytics/sensy/settings', { body: { lead_time_days: 9 } });
    await sql`update pgboss.job set start_after = now() where name = ${REFRESH_JOB} and state = 'created'`;
    // On the second page of 250.
    await killWhileHeld((tx) => tx`select from forecasts where sku_iv_id = 'Q270_DMM-1' for update`);
    expect(await passes()).toEqual([
      { pass: first, skus: 51 },
      { pass: first + 1, skus: 250 },
    ]);
    expect((await ask('GET /analytics/sensy')).body.stale).toBe(true);
    await startWorker();
    await expect.poll(async () => (await ask('GET /analytics/sensy')).body.stale).toBe(false);
    expect(await passes()).toEqual([{ pass: first + 1, skus: 301 }]);
    const [milk] = (await ask('GET /analytics/sensy?search=MILK')).body.items;
    expect(milk.lead_time_days).toBe(9);
  });
});
