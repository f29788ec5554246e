import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseProcessStat } from '../../bench/all-in/postgres-cpu.ts';
import { readPlacements } from '../../src/cli/cluster/cluster-status.ts';
import { startWorkerProcess } from '../../src/modules/webhooks/testing/worker-process.ts';
import { readLayout, type Sql } from '../../src/platform/database/index.ts';
import { type TestOrganization, testOrganization } from '../harness/accounts.ts';
import { dropClusterDatabases, listNodeUrls, takeClusterDatabase } from '../harness/cluster-databases.ts';
import { connectPatiently } from '../harness/connect-patiently.ts';
import { placeOrder } from './rolling/load.ts';

const PHASE_MS = Number(process.env.CHAOS_LOAD_MS ?? 8_000);
const CLIENTS_PER_TENANT = 2;
const CATCH_UP_MS = 120_000;

type Tenant = TestOrganization & { node: string };
type Outcome = {
  phase: string;
  node: string;
  acknowledged: number;
  refused: number;
  otherThan503: number;
  firstOther: string;
};

/**
 * A cluster whose nodes run on this machine, under order load of tenants on every node: a worker hesitates for 40 ms again and again, one is
 * paused, one is killed and started, then the coordinator. CLUSTER_CONTROL is a program that is called with `kill PORT` and `start PORT`.
 */
export async function run(): Promise<boolean> {
  const clusterUrl = process.env.CLUSTER_DATABASE_URL;
  const control = process.env.CLUSTER_CONTROL;
  if (!clusterUrl || !control) {
    console.error('There is no cluster: set CLUSTER_DATABASE_URL and CLUSTER_CONTROL.');
    return false;
  }
  const undo: (() => unknown)[] = [() => dropClusterDatabases(clusterUrl)];
  try {
    const [coordinator, worker] = (await listNodeUrls(clusterUrl)).map((url) => new URL(url).port);
    if (coordinator === undefined || worker === undefined) throw new Error('the cluster has no worker');
    const { url, sql } = await takeClusterDatabase(clusterUrl);
    const service = await startWorkerProcess(
      {
        DATABASE_URL: url,
        DUKKAN_SECRET: 'a secret for chaos only, long enough',
        DUKKAN_ROLES: 'api,worker',
        DUKKAN_CONSOLE: 'off',
        METRICS_PORT: 'off',
        PORT: '0',
      },
      'inherit',
    );
    undo.push(() => service.end('SIGTERM'));
    const tenants = await makeTenants(sql);
    const load = pourOrders(service.baseUrl, tenants);
    const feeds = tenants.map((tenant) => followFeed(service.baseUrl, tenant.owner.token));
    const restart = promisify(execFile);

    await load.phase('all nodes', () => pause(PHASE_MS));
    await load.phase('worker hesitates', () => hesitate(clusterUrl, worker, PHASE_MS));
    await load.phase('worker paused', async () => {
      const wake = await pauseServer(clusterUrl, worker);
      await pause(PHASE_MS);
      wake();
    });
    await load.phase('after the pause', () => pause(PHASE_MS));
    await load.phase('worker killed', async () => {
      await restart(control, ['kill', worker]);
      await pause(PHASE_MS);
      await restart(control, ['start', worker]);
    });
    await load.phase('after the kill', () => pause(PHASE_MS));
    await load.phase('coordinator killed', async () => {
      await restart(control, ['kill', coordinator]);
      await pause(PHASE_MS / 4);
      await restart(control, ['start', coordinator]);
    });
    await load.phase('after the coordinator', () => pause(PHASE_MS));
    const { acknowledged, outcomes } = await load.stop();
    await sql.end({ timeout: 1 });

    const after = connectPatiently(url, 2);
    undo.push(() => after.end({ timeout: 1 }));
    after.useLayout(await readLayout(after));
    await caughtUp(after);
    console.table(outcomes);
    const figures = await check(after, tenants, acknowledged, feeds);
    console.table(figures);
    const living = outcomes.filter(
      ({ phase, node }) => /paused|killed|hesitates/.test(phase) && node !== worker && !phase.startsWith('coordinator'),
    );
    const refusedOnLiving = living.reduce((sum, { refused }) => sum + refused, 0);
    console.log(`refused for tenants of living nodes: ${refusedOnLiving}`);
    const faults = [
      figures['acknowledged but missing'],
      figures['stored twice'],
      figures['orders without an event'],
      figures['events missing in the feed'],
    ];
    const wrong = outcomes.reduce((sum, { otherThan503 }) => sum + otherThan503, 0);
    console.log(`refused by anything but 503: ${wrong}`);
    return faults.every((count) => count === 0) && refusedOnLiving === 0 && wrong === 0;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Two on every worker. */
async function makeTenants(sql: Sql): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  const nodes = new Set((await readPlacements(sql)).map(({ node }) => node));
  const countOn = (node: string) => tenants.filter((tenant) => tenant.node === node).length;
  while ([...nodes].some((node) => countOn(node) < 2)) {
    const organization = await testOrganization(sql);
    const group = sql.layout.groupOf(organization.id);
    const node = (await readPlacements(sql)).find(({ tenant_group }) => tenant_group === group)?.node ?? '';
    if (countOn(node) < 2) tenants.push({ ...organization, node });
  }
  return tenants.map((tenant) => ({ ...tenant, node: tenant.node.split(':')[1] ?? '' }));
}

function pourOrders(baseUrl: string, tenants: Tenant[]) {
  const acknowledged = new Map<string, string[]>(tenants.map(({ id }) => [id, []]));
  const outcomes = new Map<string, Outcome>();
  let phase = 'start';
  let isPouring = true;
  const clients = tenants.flatMap((tenant) =>
    Array.from({ length: CLIENTS_PER_TENANT }, async (_, client) => {
      for (let index = 0; isPouring; index += 1) {
        const key = `cluster-${client}-${index}`;
        const during = phase;
        const answer = await placeOrder(baseUrl, tenant.owner.token, key);
        const id = `${during} ${tenant.node}`;
        const outcome = outcomes.get(id) ?? {
          phase: during,
          node: tenant.node,
          acknowledged: 0,
          refused: 0,
          otherThan503: 0,
          firstOther: '',
        };
        outcomes.set(id, outcome);
        if (answer === 201) {
          outcome.acknowledged += 1;
          acknowledged.get(tenant.id)?.push(key);
        } else {
          outcome.refused += 1;
          if (!/^503 /.test(String(answer))) outcome.otherThan503 += 1;
          if (!/^503 /.test(String(answer))) outcome.firstOther ||= String(answer).slice(0, 90);
        }
        await pause(20);
      }
    }),
  );
  return {
    async phase(name: string, work: () => Promise<unknown>) {
      phase = name;
      await work();
    },
    async stop() {
      isPouring = false;
      await Promise.all(clients);
      return { acknowledged, outcomes: [...outcomes.values()] };
    },
  };
}

/** Order ids as the feed gives them, from the beginning to the end. Asks again after any failure. */
function followFeed(baseUrl: string, token: string) {
  const seen = new Set<string>();
  let cursor = '';
  return {
    async readAll(): Promise<Set<string>> {
      for (;;) {
        const response = await fetch(`${baseUrl}/api/v1/orders/changes?cursor=${cursor}&limit=500`, {
          headers: { authorization: `Bearer ${token}` },
        });
        if (!response.ok) {
          await pause(200);
          continue;
        }
        const page = (await response.json()) as {
          events: { order_id: string }[];
          next_cursor: string;
          has_more: boolean;
        };
        for (const { order_id } of page.events) seen.add(order_id);
        cursor = page.next_cursor;
        if (!page.has_more) return seen;
      }
    },
  };
}

async function check(
  sql: Sql,
  tenants: Tenant[],
  acknowledged: Map<string, string[]>,
  feeds: ReturnType<typeof followFeed>[],
) {
  const figures = {
    'orders acknowledged': 0,
    'orders stored': 0,
    'acknowledged but missing': 0,
    'stored twice': 0,
    'orders without an event': 0,
    'events missing in the feed': 0,
  };
  for (const [index, { id }] of tenants.entries()) {
    const keys = acknowledged.get(id) ?? [];
    const stored = await sql<{ id: string; key: string }[]>`
      select id, source_transaction_id as key from orders where organization_id = ${id}`;
    const events = await sql<{ order_id: string }[]>`select order_id from order_changes where organization_id = ${id}`;
    const present = new Set(stored.map(({ key }) => key));
    const withEvent = new Set(events.map(({ order_id }) => order_id));
    const inFeed = (await feeds[index]?.readAll()) ?? new Set<string>();
    figures['orders acknowledged'] += keys.length;
    figures['orders stored'] += stored.length;
    figures['acknowledged but missing'] += keys.filter((key) => !present.has(key)).length;
    figures['stored twice'] += stored.length - present.size;
    figures['orders without an event'] += stored.filter((order) => !withEvent.has(order.id)).length;
    figures['events missing in the feed'] += stored.filter((order) => !inFeed.has(order.id)).length;
  }
  return figures;
}

async function caughtUp(sql: Sql): Promise<void> {
  const untilMs = performance.now() + CATCH_UP_MS;
  while (performance.now() < untilMs) {
    const behind = await sql`
      select 1 from event_followers f join event_positions e on e.tenant_group = f.tenant_group
      where f.position < e.last_position limit 1`;
    const waiting = await sql`select 1 from order_outbox limit 1`;
    if (behind.length === 0 && waiting.length === 0) return;
    await pause(200);
  }
  throw new Error('the followers do not catch up');
}

/** 40 ms again and again: transactions that span nodes become visible on one of them earlier than on the other. */
async function hesitate(clusterUrl: string, port: string, forMs: number): Promise<void> {
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    const wake = await pauseServer(clusterUrl, port);
    await pause(40);
    wake();
    await pause(160);
  }
}

/** Stops every process of a server without ending it. */
async function pauseServer(clusterUrl: string, port: string): Promise<() => void> {
  const url = new URL(clusterUrl);
  url.port = port;
  url.pathname = '/postgres';
  const sql = connectPatiently(url.href, 1);
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmaster = (await readStat(String(row?.pid)))?.parent ?? '';
  await sql.end({ timeout: 1 });
  const pids = [postmaster];
  for (const pid of await readdir('/proc')) {
    if (/^\d+$/.test(pid) && (await readStat(pid))?.parent === postmaster) pids.push(pid);
  }
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) {
      try {
        process.kill(Number(pid), name);
      } catch {
        // It has ended since.
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

async function readStat(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseProcessStat(text);
}
