import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { readClusterStatus, readPlacements } from '../../src/cli/cluster/cluster-status.ts';
import { ClusterRefusal, initCluster } from '../../src/cli/cluster/init-cluster.ts';
import { moveTenant } from '../../src/cli/cluster/move-tenant.ts';
import { newOrder } from '../../src/modules/orders/testing/new-order.ts';
import {
  migrate,
  onOwnConnection,
  readLayout,
  ServerError,
  type Sql,
  whileNoneStarts,
} from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER, startService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { emptyClusterDatabase, makeClusterDatabase } from '../harness/cluster-databases.ts';
import { TEST_SECRET } from '../harness/global-setup.ts';
import { call, type TestOrganization, type TestService, testOrganization, testService } from '../harness/index.ts';

const clusterUrl = process.env.CLUSTER_DATABASE_URL ?? '';
const ORDERS = 5;

type FeedPage = { events: { order_id: string; cursor: string }[]; next_cursor: string; has_more: boolean };

async function placeOrders({ baseUrl }: TestService, { owner }: TestOrganization): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < ORDERS; index += 1) {
    const placed = await call<{ data: { id: string } }>(baseUrl, 'POST /orders', {
      token: owner.token,
      body: newOrder(),
    });
    expect(placed.status, placed.text).toBe(201);
    ids.push(placed.body.data.id);
  }
  return ids;
}

async function readFeed({ baseUrl }: TestService, { owner }: TestOrganization, cursor = '') {
  const page = await call<FeedPage>(baseUrl, `GET /orders/changes?cursor=${cursor}&limit=100`, { token: owner.token });
  expect(page.status, page.text).toBe(200);
  return { ids: page.body.events.map((event) => event.order_id), cursor: page.body.next_cursor };
}

const listed = async ({ baseUrl }: TestService, { owner }: TestOrganization) =>
  (await call<{ orders: unknown[] }>(baseUrl, 'GET /orders', { token: owner.token })).body.orders.length;

async function nodeOf(sql: Sql, organizationId: string): Promise<string> {
  const group = (await readLayout(sql)).groupOf(organizationId);
  return (await readPlacements(sql)).find(({ tenant_group }) => tenant_group === group)?.node ?? '';
}

/** A connection that a service has closed is in the server's list for a moment. */
async function stopCompletely(service: TestService): Promise<void> {
  await service.stop();
  const connected = () => service.sql`
    select from pg_stat_activity where datname = current_database() and application_name like 'dukkan %'`;
  await expect.poll(async () => (await connected()).length).toBe(0);
}

describe('tables with rows', () => {
  it('are spread, a tenant is moved to another node, and orders, feed and cursors are as before', async () => {
    const database = await emptyClusterDatabase(clusterUrl);
    const { sql } = database;
    await migrate(sql, MIGRATIONS_FOLDER);

    const before = await testService({}, { database });
    const shops = [await testOrganization(sql), await testOrganization(sql)] as const;
    const [shop, other] = shops;
    const placed = { shop: await placeOrders(before, shop), other: await placeOrders(before, other) };
    await expect.poll(async () => (await readFeed(before, shop)).ids).toEqual(placed.shop);
    const { cursor } = await readFeed(before, shop);
    // A service that runs would go on with its former groups.
    await expect(initCluster(sql, { shards: 4 })).rejects.toThrow(ClusterRefusal);
    await stopCompletely(before);

    expect(await initCluster(sql, { shards: 4 })).toBe(true);
    expect(await initCluster(sql, { shards: 4 })).toBe(false);
    sql.useLayout(await readLayout(sql));
    const spread = await testService({}, { database });
    expect((await readFeed(spread, shop)).ids).toEqual(placed.shop);
    expect((await readFeed(spread, shop, cursor)).ids).toEqual([]);
    expect(await listed(spread, shop)).toBe(ORDERS);
    const later = await placeOrders(spread, shop);
    await expect.poll(async () => (await readFeed(spread, shop, cursor)).ids).toEqual(later);
    await stopCompletely(spread);

    const from = await nodeOf(sql, shop.id);
    const nodes = (await readClusterStatus(sql)).filter(({ role }) => role === 'worker').map(({ node }) => node);
    const to = nodes.find((node) => node !== from) ?? '';
    await expect(moveTenant(sql, shop.id, '127.0.0.1:1')).rejects.toThrow(ClusterRefusal);
    expect(await moveTenant(sql, shop.id, to)).toEqual({ isolated: true, from, to });
    expect(await moveTenant(sql, shop.id, to)).toEqual({ isolated: false, from: to, to });
    expect(await nodeOf(sql, shop.id)).toBe(to);
    sql.useLayout(await readLayout(sql));

    const moved = await testService({}, { database });
    expect((await readFeed(moved, shop)).ids).toEqual([...placed.shop, ...later]);
    expect((await readFeed(moved, shop, cursor)).ids).toEqual(later);
    expect((await readFeed(moved, other)).ids).toEqual(placed.other);
    const last = { shop: await placeOrders(moved, shop), other: await placeOrders(moved, other) };
    await expect.poll(async () => (await readFeed(moved, shop)).ids).toEqual([...placed.shop, ...later, ...last.shop]);
    await expect.poll(async () => (await readFeed(moved, other)).ids).toEqual([...placed.other, ...last.other]);
    expect(await listed(moved, shop)).toBe(3 * ORDERS);
    expect(await listed(moved, other)).toBe(2 * ORDERS);
  });

  it('are not used by a process that starts while they are moved, nor after a move that was interrupted', async () => {
    const { sql, url } = await makeClusterDatabase(clusterUrl);
    const shop = await testOrganization(sql);
    const from = await nodeOf(sql, shop.id);
    const nodes = (await readClusterStatus(sql)).filter(({ role }) => role === 'worker').map(({ node }) => node);
    const to = nodes.find((node) => node !== from) ?? '';
    const held = await onOwnConnection(sql, (own) =>
      whileNoneStarts(own, async () => {
        await expect(readLayout(sql)).rejects.toThrow(ServerError);
        await expect(moveTenant(sql, shop.id, to)).rejects.toThrow(ClusterRefusal);
      }),
    );
    expect(held).toBe(true);

    // As a command leaves it that is killed before it has made the group of the new shard.
    await sql`
      select isolate_tenant_to_new_shard('orders', ${shop.id}::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')`;
    expect((await readLayout(sql)).isWhole).toBe(false);
    const env = {
      PORT: '0',
      DATABASE_URL: url,
      DUKKAN_SECRET: TEST_SECRET,
      DUKKAN_DEMO: 'false',
      DUKKAN_CONSOLE: 'off',
    };
    const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-spread-'));
    const start = () => startService(readSettings(env, folder), pino({ level: 'silent' }));
    await expect(start()).rejects.toThrow(/dukkan cluster move was interrupted/);

    expect(await moveTenant(sql, shop.id, to)).toEqual({ isolated: false, from, to });
    sql.useLayout(await readLayout(sql));
    expect(sql.layout.isWhole).toBe(true);
    const service = await start();
    try {
      const placed = await call(service.baseUrl, 'POST /orders', { token: shop.owner.token, body: newOrder() });
      expect(placed.status, placed.text).toBe(201);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are not touched by a command on a database without the extension or without workers', async () => {
    const { sql } = await emptyClusterDatabase(clusterUrl);
    await migrate(sql, MIGRATIONS_FOLDER);
    await sql`update pg_dist_node set isactive = false where groupid <> 0`;
    await expect(initCluster(sql, { shards: 4 })).rejects.toThrow('There is no active worker node');
    await sql`drop extension citus cascade`;
    await expect(initCluster(sql, { shards: 4 })).rejects.toThrow('The database has no citus extension');
    expect((await readLayout(sql)).isDistributed).toBe(false);
  });
});
