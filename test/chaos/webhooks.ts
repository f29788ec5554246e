import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { Sql } from '../../src/platform/database/index.ts';
import { createAuthority } from '../../src/platform/outbound/testing/certificates.ts';
import { connectionUrl, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { startService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { testOrganization } from '../harness/accounts.ts';
import { call } from '../harness/client.ts';
import { type Crew, createCrew } from './crew.ts';
import { reportFigures } from './report-figures.ts';
import { type ChaosReceiver, startChaosReceiver } from './webhooks/receiver.ts';
import { FIRST_FAULT, judge } from './webhooks/verdict.ts';

const KILLS = Number(process.env.CHAOS_KILLS ?? 50);
const RESTARTS = Number(process.env.CHAOS_RESTARTS ?? 5);
const WORKERS = 3;
const TENANTS = 3;
const ORDERS_PER_SECOND = 20;
const SECRET = 'a secret for chaos only, long enough';
/** Many and short: a receiver that flaps must not use up its attempts, and the run has minutes, not days. */
const RETRY_DELAYS = Array(60).fill('0.5').join(',');
const DRAIN_MS = 120_000;

/**
 * Order events go out to a receiver that flaps, while the workers that send them are killed and PostgreSQL is thrown
 * over. Three tenants with two subscriptions each; all of it on the loopback.
 */
export async function run(): Promise<boolean> {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  try {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-chaos-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const log = pino({ level: 'silent' });
    const postgres = await startEmbeddedPostgres({ dataDir, log, listen: 'tcp' });
    undo.push(() => postgres.stop());
    const authority = await createAuthority();
    const caFile = path.join(dataDir, 'ca.pem');
    await writeFile(caFile, authority.cert);
    const receiver = await startChaosReceiver(await authority.issue({ addresses: ['127.0.0.1'] }));
    undo.push(receiver.close);

    const settings = {
      DATABASE_URL: connectionUrl(postgres.connection),
      DUKKAN_SECRET: SECRET,
      DUKKAN_DATA_DIR: dataDir,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
      WEBHOOK_LEASE_SECONDS: '12',
      DATABASE_POOL_SIZE: '8',
      PORT: '0',
    };
    const api = await startService(readSettings({ ...settings, DUKKAN_ROLES: 'api' }, process.cwd()), log);
    undo.push(() => api.stop());
    const { sql } = api.platform;
    const pathOf = new Map<string, string>();
    const tokens: string[] = [];
    for (let tenant = 0; tenant < TENANTS; tenant += 1) {
      const { owner } = await testOrganization(sql);
      tokens.push(owner.token);
      for (const name of ['a', 'b']) await subscribe(api.baseUrl, owner.token, receiver, `/${tenant}/${name}`, pathOf);
    }

    const crew = createCrew(settings, WORKERS);
    undo.push(crew.dismiss);
    await crew.start();
    const pouring = pour(api.baseUrl, tokens);
    undo.push(pouring.stop);
    await wreck(crew, receiver, () => process.kill(postgres.pid, 'SIGQUIT'));
    receiver.calm();
    await pouring.stop();
    console.log(
      `${crew.kills()} workers killed, PostgreSQL restarted ${RESTARTS} times; waiting for the rest to arrive`,
    );
    await drained(sql);
    return reportFigures(await judge(sql, receiver.seen, pathOf), FIRST_FAULT);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function subscribe(
  baseUrl: string,
  token: string,
  receiver: ChaosReceiver,
  target: string,
  pathOf: Map<string, string>,
): Promise<void> {
  const body = { url: `https://127.0.0.1:${receiver.port}${target}` };
  const made = await call<{ id: string }>(baseUrl, 'POST /webhook-subscriptions', { token, body });
  if (made.status !== 201) throw new Error(made.text);
  pathOf.set(made.body.id, target);
}

/**
 * One blow in three falls at a random moment, one in the middle of a request, one between the receiver's answer and our
 * commit. Which worker sent the request is not known to the receiver, so the aimed ones take all.
 */
async function wreck(crew: Crew, receiver: ChaosReceiver, throwOverDatabase: () => void): Promise<void> {
  let restarts = 0;
  for (let blow = 0; crew.kills() < KILLS; blow += 1) {
    await busy(receiver);
    if (blow % 3 === 0) {
      await pause(Math.random() * 1000);
      crew.killOne();
    } else {
      const sprung = Promise.withResolvers<void>();
      const when = blow % 3 === 1 ? 'in the middle' : 'after the answer';
      receiver.setTrap({
        when,
        spring() {
          crew.killAll();
          sprung.resolve();
        },
      });
      await sprung.promise;
    }
    if (crew.kills() >= ((restarts + 0.5) * KILLS) / RESTARTS && restarts < RESTARTS) {
      await busy(receiver);
      restarts += 1;
      throwOverDatabase();
    }
  }
}

/** Until requests flow again. */
async function busy(receiver: ChaosReceiver): Promise<void> {
  const before = receiver.seen.length;
  const deadlineMs = performance.now() + 20_000;
  while (receiver.seen.length < before + 10 && performance.now() < deadlineMs) await pause(20);
}

/** Orders with unique keys, each repeated until it is known to be there. */
function pour(baseUrl: string, tokens: string[]): { stop(): Promise<void> } {
  const placing = new Set<Promise<void>>();
  let count = 0;
  async function place(key: string, token: string): Promise<void> {
    const body = {
      source_transaction_id: key,
      order_status: 'RECEIVED',
      fulfillment_status: 'None',
      skus: ['s'],
      products: [{ product_id: 'p', sku_id: 's', quantity: 1, price: 5 }],
    };
    for (;;) {
      const status = await call(baseUrl, 'POST /orders', { token, body }).then(
        (reply) => reply.status,
        () => 0,
      );
      if (status === 201 || status === 409) return;
      await pause(100);
    }
  }
  const timer = setInterval(() => {
    count += 1;
    const placed = place(`chaos-${count}`, tokens[count % tokens.length] ?? '').finally(() => placing.delete(placed));
    placing.add(placed);
  }, 1000 / ORDERS_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(placing);
    },
  };
}

/** Until every event has become deliveries and none of them waits. What is left after that long is stuck. */
async function drained(sql: Sql): Promise<void> {
  const deadlineMs = performance.now() + DRAIN_MS;
  while (performance.now() < deadlineMs) {
    const [row] = await sql<{ done: boolean }[]>`
      select not exists (select 1 from order_outbox) and not exists (select 1 from webhook_queued_deliveries)
         and (select f.position = p.last_position from event_followers f, event_positions p where f.name = 'webhooks')
         as done`;
    if (row?.done) return;
    await pause(100);
  }
}
