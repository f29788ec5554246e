import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { startWorkerProcess, type WorkerProcess } from '../../src/modules/webhooks/testing/worker-process.ts';
import { connectDatabase, type Sql } from '../../src/platform/database/index.ts';
import { createAuthority } from '../../src/platform/outbound/testing/certificates.ts';
import { connectionUrl, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { testOrganization } from '../harness/accounts.ts';
import { call } from '../harness/client.ts';
import { caughtUp } from './orders.ts';
import { type Balancer, startBalancer } from './rolling/balancer.ts';
import { followStream, placeOrders, type Stream } from './rolling/load.ts';
import { startChaosReceiver } from './webhooks/receiver.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 2);
const CLIENTS = 6;
const APIS = 3;
const WORKERS = 2;
const DRAIN_SECONDS = 1;
const SETTLE_MS = 120_000;
const OVERLAP_MS = 10_000;

/**
 * Three API processes behind a balancer and two workers are replaced one after the other under load, first by the same version, then by
 * the next one, whose migration is declared rolling. Clients notice nothing, and no event is lost.
 *
 * `--from <folder>`: the processes of that checkout of an earlier release are replaced by this one, after its pending migrations. When
 * one of these is not declared rolling, that is reported, and the run goes on with `migrate --force` to show what breaks.
 */
export async function run(options: { from?: string } = {}): Promise<boolean> {
  return options.from === undefined ? roll(ROUNDS) : roll(0, path.resolve(options.from));
}

export async function runTiny(): Promise<boolean> {
  return roll(0);
}

async function roll(rounds: number, from?: string): Promise<boolean> {
  const undo: (() => unknown)[] = [];
  try {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-rolling-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), listen: 'tcp' });
    undo.push(() => postgres.stop());
    const authority = await createAuthority();
    await writeFile(path.join(dataDir, 'ca.pem'), authority.cert);
    const receiver = await startChaosReceiver(await authority.issue({ addresses: ['127.0.0.1'] }));
    receiver.calm();
    undo.push(receiver.close);
    const settings = {
      DATABASE_URL: connectionUrl(postgres.connection),
      DUKKAN_SECRET: 'a secret for chaos only, long enough',
      DUKKAN_DATA_DIR: dataDir,
      DUKKAN_CONSOLE: 'off',
      DATABASE_POOL_SIZE: '6',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      METRICS_PORT: 'off',
      PORT: '0',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: path.join(dataDir, 'ca.pem'),
    };
    const balancer = await startBalancer();
    undo.push(balancer.close);
    const fleet = createFleet(settings, balancer);
    undo.push(fleet.stop);
    for (let index = 0; index < APIS; index += 1) await fleet.start('api', from);
    for (let index = 0; index < WORKERS; index += 1) await fleet.start('worker', from);

    const sql = connectDatabase(settings.DATABASE_URL, { poolSize: 2, applicationName: 'chaos' });
    undo.push(() => sql.end({ timeout: 1 }));
    const shop = await testOrganization(sql);
    const { token } = shop.owner;
    const url = `https://127.0.0.1:${receiver.port}/rolling`;
    const made = await call(balancer.url, 'POST /webhook-subscriptions', { token, body: { url } });
    if (made.status !== 201) throw new Error(made.text);

    // Before the first order: a stream begins with what happens from then on.
    const streams = [followStream(balancer.url, token), followStream(balancer.url, token)];
    undo.push(() => streams.map((stream) => stream.stop()));
    await settled(() => streams.every((stream) => stream.resumes() >= 0));
    const load = placeOrders(balancer.url, token, CLIENTS, 20);
    for (let round = 0; round < rounds; round += 1) await fleet.replaceAll(ROOT);
    const next = from === undefined ? await makeNextRelease() : ROOT;
    if (next !== ROOT) undo.push(() => rm(next, { recursive: true, force: true }));
    const refusal = await migrate(next, settings);
    // Both versions serve on the new schema for a while, as in an upgrade machine by machine.
    if (from !== undefined) await pause(OVERLAP_MS);
    await fleet.replaceAll(next);
    await load.stop();
    await caughtUp(sql);
    const expected = await sql<{ event_id: string; cursor: string }[]>`
      select event_id from order_events where organization_id = ${shop.id} order by position`;
    await settled(() => streams.every(({ ids }) => ids.length >= expected.length) && areDelivered(sql));
    const figures = {
      'processes replaced': fleet.replaced(),
      'orders acknowledged': load.acknowledged.size,
      'retries by the balancer': balancer.retries(),
      'events in the feed': expected.length,
      'resumed streams': streams.reduce((sum, stream) => sum + stream.resumes(), 0),
      'webhook requests': receiver.seen.length,
      // All of these must be nought.
      'failures noticed by clients': load.failures.length,
      'acknowledged but missing': await countMissing(sql, shop.id, load.acknowledged),
      'events missing on a stream': sumOf(streams, ({ ids }) => expected.length - new Set(ids).size),
      'events doubled on a stream': sumOf(streams, ({ ids }) => ids.length - new Set(ids).size),
      'positions given twice': await countDoubledPositions(sql),
      'events without a delivered webhook': await countUndelivered(sql),
      'processes that did not end by themselves': fleet.killed(),
      'migrations that are not rolling': refusal === undefined ? 0 : 1,
    };
    console.table(figures);
    if (refusal !== undefined) console.log(refusal);
    for (const failure of load.failures.slice(0, 5)) console.log(failure);
    return (
      Object.values(figures)
        .slice(6)
        .every((count) => count === 0) && load.acknowledged.size > 0
    );
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

function createFleet(settings: Record<string, string>, balancer: Balancer) {
  type Member = { role: 'api' | 'worker'; process: WorkerProcess };
  const members: Member[] = [];
  let replaced = 0;
  let killed = 0;
  async function start(role: Member['role'], root = ROOT): Promise<void> {
    process.env.TEST_PROGRAM = path.join(root, 'src/main.ts');
    const started = await startWorkerProcess({ ...settings, DUKKAN_ROLES: role, LOG_LEVEL: 'warn' }, 'inherit');
    members.push({ role, process: started });
    if (role === 'api') await balancer.add(started.baseUrl);
  }
  async function end({ role, process: { baseUrl, end: endProcess } }: Member): Promise<void> {
    if ((await endProcess('SIGTERM')) !== 0) killed += 1;
    if (role === 'api') balancer.remove(baseUrl);
  }
  return {
    start,
    /** The new process first, then the old one: there are never fewer than before. */
    async replaceAll(root: string): Promise<void> {
      for (const old of members.splice(0)) {
        await start(old.role, root);
        await end(old);
        replaced += 1;
      }
    },
    replaced: () => replaced,
    killed: () => killed,
    stop: async () => {
      await Promise.all(members.splice(0).map(end));
    },
  };
}

/** Resolves to why `migrate` refused while the old processes run, after it was forced. */
async function migrate(root: string, settings: Record<string, string>): Promise<string | undefined> {
  const attempt = async (...options: string[]) => {
    const args = [path.join(root, 'src/main.ts'), 'migrate', ...options];
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...settings, LOG_LEVEL: 'silent' } });
  };
  try {
    await attempt();
    return undefined;
  } catch (error) {
    await attempt('--force');
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  }
}

/** This tree with one more migration, as the next release has it: a column that the running release does not know. */
async function makeNextRelease(): Promise<string> {
  const next = await mkdtemp(path.join(tmpdir(), 'dukkan-next-'));
  for (const name of ['src', 'migrations', 'package.json', 'test/start', 'sdk/src']) {
    await mkdir(path.dirname(path.join(next, name)), { recursive: true });
    await cp(path.join(ROOT, name), path.join(next, name), { recursive: true });
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(next, 'node_modules'));
  const statement = 'alter table orders add column next_release_note text;';
  await writeFile(path.join(next, 'migrations/9999_next_release.sql'), `-- rolling: adds a column\n${statement}\n`);
  return next;
}

async function settled(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_MS;
  while (!(await isDone()) && performance.now() < deadlineMs) await pause(200);
}

async function areDelivered(sql: Sql): Promise<boolean> {
  return (await countUndelivered(sql)) === 0;
}

async function countUndelivered(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from order_events e
    where not exists (select from webhook_deliveries d where d.event_position = e.position and d.status = 'delivered')`;
  return row?.count ?? 0;
}

async function countMissing(sql: Sql, organizationId: string, keys: Set<string>): Promise<number> {
  const rows = await sql<{ key: string }[]>`
    select source_transaction_id as key from orders where organization_id = ${organizationId}`;
  const present = new Set(rows.map(({ key }) => key));
  return [...keys].filter((key) => !present.has(key)).length;
}

/** Followers read by position: of two events with one position they may skip the second. */
async function countDoubledPositions(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) - count(distinct position) as count from order_feed`;
  return row?.count ?? 0;
}

function sumOf(streams: readonly Stream[], count: (stream: Stream) => number): number {
  return streams.reduce((sum, stream) => sum + Math.abs(count(stream)), 0);
}
