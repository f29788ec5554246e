import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followNodes, openClusterBackup } from '../../src/cli/cluster/backup-cluster.ts';
import { readClusterStatus } from '../../src/cli/cluster/cluster-status.ts';
import { initCluster } from '../../src/cli/cluster/init-cluster.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { openCommandContext } from '../../src/cli/open-command-context.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { newOrder } from '../../src/modules/orders/testing/new-order.ts';
import { listRestorePoints, openBackupStore } from '../../src/platform/backup/index.ts';
import { inTransaction, migrate, readLayout, type Sql } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER, type RunningService, startService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { connectPatiently } from '../harness/connect-patiently.ts';
import { call, PATIENT_LIMITS, type TestOrganization, testOrganization } from '../harness/index.ts';
import { findOwnServers, type OwnServer, type OwnServers } from '../harness/own-cluster.ts';

const clusterUrl = process.env.CLUSTER_DATABASE_URL ?? '';
const SECRET = 'a secret for tests of backups, long enough';
const LIMITS = { request: PATIENT_LIMITS, background: PATIENT_LIMITS };

let root: string;
let servers: OwnServers;
let nodes: OwnServer[];
let sql: Sql;
let service: RunningService;
const at = (name: string) => path.join(root, name);
const env = (url: string) => ({
  PORT: '0',
  DATABASE_URL: url,
  DUKKAN_SECRET: SECRET,
  DUKKAN_DATA_DIR: at('data'),
  DUKKAN_DEMO: 'false',
  DUKKAN_CONSOLE: 'off',
  LOG_LEVEL: 'silent',
});
const sealed = (...args: string[]) => [...args, '--passphrase-file', at('passphrase')];

/** A command line as an operator types it, in this process. */
async function dukkan(url: string, ...args: string[]) {
  let out = '';
  const screen = { write: () => undefined };
  const context = openCommandContext(env(url), root, screen, screen);
  try {
    const write = (text: string) => {
      out += text;
    };
    await runCommandLine([...args, '--json'], { commands: COMMANDS, context, version: '9.9.9', out: { write } });
  } finally {
    await context.close();
  }
  return JSON.parse(out);
}

const start = (url: string) =>
  startService(readSettings(env(url), root), pino({ level: 'silent' }), { limits: LIMITS });

async function placeOrder({ baseUrl }: RunningService, { owner }: TestOrganization): Promise<string> {
  const placed = await call<{ data: { id: string } }>(baseUrl, 'POST /orders', {
    token: owner.token,
    body: newOrder(),
  });
  expect(placed.status, placed.text).toBe(201);
  return placed.body.data.id;
}

async function placeEverywhere(running: RunningService, shops: TestOrganization[]): Promise<string[]> {
  const ids: string[] = [];
  for (const shop of shops) ids.push(await placeOrder(running, shop));
  return ids;
}

async function readFeed({ baseUrl }: RunningService, { owner }: TestOrganization): Promise<string[]> {
  const page = await call<{ events: { order_id: string }[] }>(baseUrl, 'GET /orders/changes?limit=100', {
    token: owner.token,
  });
  expect(page.status, page.text).toBe(200);
  return page.body.events.map((event) => event.order_id);
}

/** Enough for both nodes to have some: four groups, of which each node has two. */
async function shopsOnAllNodes(): Promise<TestOrganization[]> {
  const shops: TestOrganization[] = [];
  for (;;) {
    shops.push(await testOrganization(sql));
    const workers = (await readClusterStatus(sql)).filter(({ role }) => role === 'worker');
    if (workers.every(({ tenants }) => tenants > 0)) return shops;
  }
}

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'dukkan-nodes-'));
  await writeFile(at('passphrase'), 'eleven pots of cardamom coffee\n');
  servers = await findOwnServers(clusterUrl);
  nodes = await Promise.all(['one', 'two', 'three'].map((name) => servers.make(at(name))));
  const [coordinator, ...workers] = nodes as [OwnServer, ...OwnServer[]];
  sql = connectPatiently(coordinator.url, 4);
  await sql`select citus_set_coordinator_host(${coordinator.host}, ${coordinator.port}::int)`;
  for (const { host, port } of workers) await sql`select citus_add_node(${host}, ${port}::int)`;
  await migrate(sql, MIGRATIONS_FOLDER);
  await initCluster(sql, { shards: 4 });
  sql.useLayout(await readLayout(sql));
  service = await start(coordinator.url);
});
afterAll(async () => {
  await service?.stop();
  await sql?.end({ timeout: 1 });
  await servers?.stopAll();
  await rm(root, { recursive: true, force: true });
});

describe('backup and restore of a cluster', () => {
  it('restores all nodes to a moment between two orders', async () => {
    const [coordinator] = nodes as [OwnServer];
    const shops = await shopsOnAllNodes();
    const before = await placeEverywhere(service, shops);
    const taken = await dukkan(coordinator.url, ...sealed('backup', '--to', at('backups')));
    expect(taken.nodes.map(({ node }: { node: string }) => node)).toEqual(
      nodes.map(({ host, port }) => `${host}:${port}`),
    );
    const { checks } = await dukkan(coordinator.url, 'doctor');
    expect(checks.find(({ check }: { check: string }) => check === 'backup')).toMatchObject({ status: 'ok' });
    const { detail } = checks.find(({ check }: { check: string }) => check === 'replication slots');
    for (const { host, port } of nodes.slice(1)) expect(detail).toContain(` on ${host}:${port} idle, reserved`);

    const store = openBackupStore(at('backups'), undefined);
    const config = readSettings(env(coordinator.url), root).platform;
    const cluster = await openClusterBackup(sql, store, { config, passphraseFile: at('passphrase') });
    const ending = new AbortController();
    const losses: string[] = [];
    const onLost = (reason: string) => void losses.push(reason);
    const following = followNodes(sql, store, cluster, { signal: ending.signal, onLost, everyMs: 100 });
    const between = await placeEverywhere(service, shops);
    const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
    const lastPoint = async () =>
      (await dukkan(coordinator.url, 'backups', '--from', at('backups'))).restore_points.last;
    // The first point that was begun after the orders.
    const known = new Set(await listRestorePoints(store));
    await expect
      .poll(async () => (await listRestorePoints(store)).filter((name) => !known.has(name)).length)
      .toBeGreaterThan(1);
    const names = await listRestorePoints(store);
    const moment = JSON.parse(String(await store.find(`points/${names.at(-1)}.json`))).at as string;
    expect(new Date(moment) > (now?.at ?? new Date())).toBe(true);
    const after = await placeEverywhere(service, shops);
    const count = (await listRestorePoints(store)).length;
    await expect.poll(async () => (await listRestorePoints(store)).length).toBeGreaterThan(count + 1);
    expect(await lastPoint()).not.toBe(names.at(-1));
    ending.abort();
    await following;
    await cluster.close();
    expect(losses).toEqual([]);
    expect(after).toHaveLength(shops.length);

    const restored: OwnServer[] = [];
    for (const [index, { host, port }] of nodes.entries()) {
      const folder = at(`restored-${index}`);
      const line = [
        'restore',
        '--from',
        at('backups'),
        '--cluster',
        folder,
        '--node',
        `${host}:${port}`,
        '--until',
        moment,
      ];
      const made = await dukkan(coordinator.url, ...sealed(...line));
      expect(made.restore_point).toBe(names.at(-1));
      restored.push(await servers.start(folder));
    }
    const [place] = restored as [OwnServer];
    const again = connectPatiently(place.url, 2);
    try {
      // The nodes are elsewhere: the coordinator gets the addresses, as from an operator. All at once: it sends them on to those that it knows.
      await inTransaction(again, async (tx) => {
        for (const [index, { host, port }] of restored.entries()) {
          const { port: former } = nodes[index] as OwnServer;
          await tx`
            select citus_update_node(nodeid, ${host}, ${port}::int) from pg_dist_node where nodeport = ${former}::int`;
        }
      });
      const unsynced = () => again`select 1 from pg_dist_node where not metadatasynced`;
      await expect.poll(async () => (await unsynced()).length).toBe(0);
      for (const name of ['citus.recover_2pc_interval', 'citus.defer_shard_delete_interval']) {
        const [setting] = await again<{ value: string }[]>`select current_setting(${name}) as value`;
        expect(setting?.value, name).toBe('-1');
        await again.unsafe(`alter system reset ${name}`);
      }
      await again`select pg_reload_conf()`;
      await again`select recover_prepared_transactions()`;
      const later = await start(place.url);
      try {
        for (const [index, shop] of shops.entries()) {
          const expected = [before[index], between[index]];
          await expect.poll(() => readFeed(later, shop)).toEqual(expected);
          const orders = await again<
            { id: string }[]
          >`select id from orders where organization_id = ${shop.id} order by id`;
          expect(orders.map(({ id }) => id).sort()).toEqual([...expected].sort());
          const next = await placeOrder(later, shop);
          await expect.poll(() => readFeed(later, shop)).toEqual([...expected, next]);
        }
      } finally {
        await later.stop();
      }
    } finally {
      await again.end({ timeout: 1 });
    }
  });

  it('refuses a restore that names no node, a moment before the first point, and a target of one server', async () => {
    const [{ url, host, port }] = nodes as [OwnServer];
    const from = ['--from', at('backups')];
    await expect(dukkan(url, ...sealed('restore', ...from))).rejects.toThrow(
      `restored node by node: give --cluster, and --node of ${host}:${port}, `,
    );
    const early = ['--until', '2020-01-01T00:00:00Z', '--cluster', at('none'), '--node', `${host}:${port}`];
    await expect(dukkan(url, ...sealed('restore', ...from, ...early))).rejects.toThrow(/no restore point at 2020/);
    const { backups, restore_points } = await dukkan(url, 'backups', ...from);
    expect(backups.map(({ node }: { node: string }) => node)).toHaveLength(3);
    expect(restore_points.count).toBeGreaterThan(2);

    const single = openBackupStore(at('of-one'), undefined);
    await single.create();
    const writer = await single.write('folder.json');
    await writer.write(Buffer.from('{"format":1,"id":"x","encryption":null}'));
    await writer.finish();
    await expect(dukkan(url, 'backup', '--to', at('of-one'))).rejects.toThrow(/has backups of one server/);
  });

  it('deletes the oldest base backups of every node, and the points that need them', async () => {
    const [{ url }] = nodes as [OwnServer];
    const former = await listRestorePoints(openBackupStore(at('backups'), undefined));
    const taken = await dukkan(url, ...sealed('backup', '--to', at('backups'), '--keep', '1'));
    expect(taken.nodes.map(({ deleted }: { deleted: string[] }) => deleted.length)).toEqual([1, 1, 1]);
    const points = await listRestorePoints(openBackupStore(at('backups'), undefined));
    expect(points).toEqual([taken.restore_point]);
    expect(former).not.toContain(taken.restore_point);
  });
});
