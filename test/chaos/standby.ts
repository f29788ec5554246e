import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { startWorkerProcess } from '../../src/modules/webhooks/testing/worker-process.ts';
import { connectDatabase, type Sql } from '../../src/platform/database/index.ts';
import { prepareBinaries } from '../../src/platform/postgres/binaries.ts';
import { type Connection, connectionTo } from '../../src/platform/postgres/connection.ts';
import { startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { readPassword } from '../../src/platform/postgres/init-cluster.ts';
import { placeCluster } from '../../src/platform/postgres/place-cluster.ts';
import { signalServer, spawnServer, waitUntilReady } from '../../src/platform/postgres/server-process.ts';
import { testOrganization } from '../harness/accounts.ts';
import { caughtUp, freePort } from './orders.ts';
import { placeOrder } from './rolling/load.ts';

const CLIENTS = 6;
const LOAD_MS = Number(process.env.CHAOS_LOAD_MS ?? 10_000);
const BACK_WITHIN_MS = 10_000;

/**
 * A primary with a synchronous standby. Under order load the primary is ended without a goodbye and the standby is promoted; the service
 * knows both addresses and is not restarted.
 */
export async function run(): Promise<boolean> {
  const undo: (() => unknown)[] = [];
  try {
    const root = await mkdtemp(path.join(tmpdir(), 'dukkan-standby-'));
    undo.push(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
    const dataDir = path.join(root, 'primary');
    // Made and properly stopped once: a copy of its files is a standby's base backup.
    await (await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), listen: 'tcp' })).stop();
    const password = readPassword(dataDir, true);
    const standbyDir = path.join(root, 'standby');
    await promisify(execFile)('cp', ['-a', `${placeCluster(dataDir).home}/.`, standbyDir]);

    const primary = await startServer(path.join(placeCluster(dataDir).home, 'cluster'), password, {
      synchronous_standby_names: '*',
    });
    undo.push(primary.kill);
    const { host, port, user } = primary.connection;
    writeFileSync(path.join(standbyDir, 'cluster/standby.signal'), '');
    const standby = await startServer(path.join(standbyDir, 'cluster'), password, {
      primary_conninfo: `host=${host} port=${port} user=${user} password=${password} application_name=standby`,
    });
    undo.push(standby.kill);

    const login = `${user}:${encodeURIComponent(password)}`;
    const hosts = `127.0.0.1:${port},127.0.0.1:${standby.connection.port}`;
    const service = await startWorkerProcess(
      {
        DATABASE_URL: `postgres://${login}@${hosts}/dukkan?target_session_attrs=read-write`,
        DUKKAN_SECRET: 'a secret for chaos only, long enough',
        DUKKAN_DATA_DIR: path.join(root, 'service'),
        DUKKAN_ROLES: 'api,worker',
        DUKKAN_CONSOLE: 'off',
        METRICS_PORT: 'off',
        PORT: '0',
      },
      'inherit',
    );
    undo.push(() => service.end('SIGTERM'));
    const before = connectDatabase(primary.connection, { poolSize: 1, applicationName: 'chaos' });
    await synchronous(before);
    const shop = await testOrganization(before);
    await before.end({ timeout: 1 });

    const acknowledged = new Map<string, number>();
    const refusals = new Map<string, number>();
    let isPouring = true;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let index = 0; isPouring; index += 1) {
        const key = `standby-${client}-${index}`;
        const outcome = await placeOrder(service.baseUrl, shop.owner.token, key);
        if (outcome === 201) acknowledged.set(key, performance.now());
        else refusals.set(String(outcome).slice(0, 40), (refusals.get(String(outcome).slice(0, 40)) ?? 0) + 1);
        await pause(20);
      }
    });
    await pause(LOAD_MS);
    const killedMs = performance.now();
    primary.kill();
    const after = connectDatabase(standby.connection, { poolSize: 2, applicationName: 'chaos' });
    undo.push(() => after.end({ timeout: 1 }));
    await after`select pg_promote(true, 30)`;
    const promotedMs = performance.now();
    await pause(LOAD_MS);
    isPouring = false;
    await Promise.all(clients);
    await caughtUp(after);

    const stored = await after<{ id: string; key: string }[]>`
      select id, source_transaction_id as key from orders where organization_id = ${shop.id}`;
    const [events] = await after<{ missing: number }[]>`
      select count(*) as missing from orders o where o.organization_id = ${shop.id} and not exists (
        select from order_events e where e.organization_id = o.organization_id and e.order_id = o.id and e.type = 'order.created')`;
    const present = new Set(stored.map(({ key }) => key));
    const backMs = Math.min(...[...acknowledged.values()].filter((at) => at > promotedMs)) - killedMs;
    const figures = {
      'orders acknowledged': acknowledged.size,
      'orders acknowledged by the new primary': [...acknowledged.values()].filter((at) => at > promotedMs).length,
      'refused while there was no primary': [...refusals.values()].reduce((sum, count) => sum + count, 0),
      'milliseconds from the kill to the promotion': Math.round(promotedMs - killedMs),
      'milliseconds from the kill to the next order': Math.round(backMs),
      'acknowledged but missing': [...acknowledged.keys()].filter((key) => !present.has(key)).length,
      'stored twice': stored.length - present.size,
      'orders without created event': events?.missing ?? -1,
    };
    console.table(figures);
    console.table(Object.fromEntries(refusals));
    const faults = Object.values(figures).slice(5);
    return faults.every((count) => count === 0) && backMs < BACK_WITHIN_MS;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function startServer(clusterDir: string, password: string, extraSettings: Record<string, string>) {
  const home = path.dirname(clusterDir);
  const { account } = placeCluster(path.dirname(home));
  const binaries = await prepareBinaries(account);
  const endpoint = { listen: 'tcp' as const, port: await freePort() };
  const placement = { home, clusterDir, account, moved: false };
  const { server, readLog } = spawnServer({ binaries, placement, endpoint, logFile: `${home}.log`, extraSettings });
  await waitUntilReady(server, clusterDir, readLog, () => undefined);
  const connection: Connection = connectionTo(endpoint, password);
  return {
    connection,
    /** Without a checkpoint and without a word to its clients. */
    kill: () => void signalServer(server.pid, 'SIGQUIT'),
  };
}

async function synchronous(sql: Sql): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from pg_stat_replication where sync_state = 'sync'`;
    if ((row?.count ?? 0) > 0) return;
    await pause(100);
  }
  throw new Error('the standby does not follow');
}
