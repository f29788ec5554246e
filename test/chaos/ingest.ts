import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { connectDatabase, type Sql } from '../../src/platform/database/index.ts';
import { connectionUrl, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { testOrganization } from '../harness/accounts.ts';
import { call } from '../harness/client.ts';
import { type Crew, createCrew } from './crew.ts';
import { type ChaosInstall, type Delivery, makeDeliveries } from './ingest/deliveries.ts';
import { FIRST_FAULT, judge } from './ingest/verdict.ts';
import { reportFigures } from './report-figures.ts';

type Size = { kills: number; restarts: number; ordersEach: number };

const APIS = 2;
const WORKERS = 2;
const TENANTS = 3;
const CLIENTS = 12;
const SECRET = 'a secret for chaos only, long enough';
/** Many and short: what may pass by itself has minutes, not an hour. */
const RETRY_DELAYS = Array(60).fill('0.5').join(',');
const CALLS_BETWEEN_BLOWS = 40;
const DRAIN_MS = 180_000;

/**
 * Vendors send every version of their orders several times and in no order, while the processes that take them in and those
 * that read them are killed and PostgreSQL is thrown over. Three tenants with two installs each, some payloads unreadable.
 */
export function run(): Promise<boolean> {
  const kills = Number(process.env.CHAOS_KILLS ?? 40);
  return wreckAndJudge({ kills, restarts: Number(process.env.CHAOS_RESTARTS ?? 5), ordersEach: 25 });
}

export function runTiny(): Promise<boolean> {
  return wreckAndJudge({ kills: 6, restarts: 1, ordersEach: 8 });
}

async function wreckAndJudge(size: Size): Promise<boolean> {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  try {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-chaos-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), listen: 'tcp' });
    undo.push(() => postgres.stop());
    const address = connectionUrl(postgres.connection);
    const settings = {
      DATABASE_URL: address,
      DUKKAN_SECRET: SECRET,
      DUKKAN_DATA_DIR: dataDir,
      STAGING_RETRY_DELAYS: RETRY_DELAYS,
      DATABASE_POOL_SIZE: '8',
      HOST: '127.0.0.1',
      PORT: '0',
    };
    const apis = createCrew({ ...settings, DUKKAN_ROLES: 'api' }, APIS);
    undo.push(apis.dismiss);
    await apis.start();
    const workers = createCrew({ ...settings, DUKKAN_ROLES: 'worker' }, WORKERS);
    undo.push(workers.dismiss);
    await workers.start();

    const installs = await connected(address, (sql) => addInstalls(sql, apis));
    const pouring = pour(apis, installs, size.ordersEach);
    undo.push(pouring.stop);
    await wreck(size, {
      apis,
      workers,
      accepted: pouring.accepted,
      restart: () => process.kill(postgres.pid, 'SIGQUIT'),
    });
    const { deliveries, calls } = await pouring.stop();
    console.log(
      `${apis.kills()} APIs and ${workers.kills()} workers killed, PostgreSQL restarted ${size.restarts} times, ${calls} calls made; waiting for the rest to be read`,
    );
    return await connected(address, async (sql) => {
      await drained(sql);
      return reportFigures(await judge(sql, deliveries), FIRST_FAULT);
    });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function connected<Result>(address: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connectDatabase(address, { poolSize: 2, applicationName: 'chaos' });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function addInstalls(sql: Sql, apis: Crew): Promise<ChaosInstall[]> {
  const installs: ChaosInstall[] = [];
  const [baseUrl = ''] = apis.baseUrls();
  for (let tenant = 0; tenant < TENANTS; tenant += 1) {
    const { id: organizationId, owner } = await testOrganization(sql);
    for (const appSlug of ['woocommerce', 'generic'] as const) {
      const secret = `secret-${appSlug}-${tenant}`;
      const body = { app_slug: appSlug, settings: { webhook_secret: secret } };
      const made = await call<{ data: { id: string } }>(baseUrl, 'POST /apps', { token: owner.token, body });
      if (made.status !== 201) throw new Error(made.text);
      installs.push({ id: made.body.data.id, organizationId, appSlug, secret });
    }
  }
  return installs;
}

type Target = { apis: Crew; workers: Crew; accepted(): number; restart(): void };

/** In random order, each at a random moment of a time in which calls are being accepted. */
async function wreck({ kills, restarts }: Size, { apis, workers, accepted, restart }: Target): Promise<void> {
  const killing = Array.from({ length: kills }, (_, index) => (index % 2 === 0 ? 'api' : 'worker'));
  const blows = [...killing, ...Array(restarts).fill('database')].sort(() => Math.random() - 0.5);
  for (const blow of blows) {
    const before = accepted();
    const deadlineMs = performance.now() + 20_000;
    while (accepted() < before + CALLS_BETWEEN_BLOWS && performance.now() < deadlineMs) await pause(20);
    await pause(Math.random() * 500);
    if (blow === 'api') apis.killOne();
    else if (blow === 'worker') workers.killOne();
    else restart();
  }
}

/** Vendors that repeat every delivery until it is accepted, except some that stop retrying. */
function pour(apis: Crew, installs: readonly ChaosInstall[], ordersEach: number) {
  const distinct = new Set<Delivery>();
  let pouring = true;
  let rounds = 0;
  let calls = 0;
  let accepted = 0;
  let waiting: Delivery[] = [];

  function next(): Delivery | undefined {
    if (waiting.length === 0 && pouring) {
      waiting = makeDeliveries(installs, rounds, ordersEach);
      rounds += 1;
    }
    const delivery = waiting.pop();
    if (delivery !== undefined) distinct.add(delivery);
    return delivery;
  }

  async function deliver(delivery: Delivery): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const baseUrl = await someone(apis);
      calls += 1;
      const answer = await post(baseUrl, delivery);
      if (answer?.status === 202) {
        delivery.accepted += 1;
        delivery.stagingIds.add(answer.stagingId);
        accepted += 1;
        return;
      }
      // No kill explains it, and it would be repeated for ever.
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        delivery.refused = answer.status;
        return;
      }
      if (attempt > 3 && Math.random() < 0.02) {
        delivery.isAbandoned = true;
        return;
      }
      await pause(100);
    }
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let delivery = next(); delivery !== undefined; delivery = next()) await deliver(delivery);
  });
  return {
    accepted: () => accepted,
    /** What has been begun is sent to its end. */
    async stop() {
      pouring = false;
      await Promise.all(clients);
      return { deliveries: [...distinct], calls };
    },
  };
}

/** Any of those that are alive, once there is one. */
async function someone(apis: Crew): Promise<string> {
  for (;;) {
    const baseUrls = apis.baseUrls();
    const baseUrl = baseUrls[Math.floor(Math.random() * baseUrls.length)];
    if (baseUrl !== undefined) return baseUrl;
    await pause(50);
  }
}

/** Nothing where the answer did not come. */
async function post(
  baseUrl: string,
  { install, body, headers }: Delivery,
): Promise<{ status: number; stagingId: string } | undefined> {
  try {
    const response = await fetch(`${baseUrl}/api/v1/ingest/${install.id}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(15_000),
    });
    const answer = (await response.json()) as { data?: { staging_id: string } };
    return { status: response.status, stagingId: answer.data?.staging_id ?? '' };
  } catch {
    return undefined;
  }
}

/** Until nothing waits to be read and every event has its place. What is left after that long is stuck. */
async function drained(sql: Sql): Promise<void> {
  const deadlineMs = performance.now() + DRAIN_MS;
  while (performance.now() < deadlineMs) {
    // The last blow may have been the database's, which is then still on its way back.
    const [row] = await sql<{ done: boolean }[]>`
      select not exists (select 1 from staging_queue) and not exists (select 1 from order_outbox) as done`.catch(
      () => [],
    );
    if (row?.done) return;
    await pause(100);
  }
}
