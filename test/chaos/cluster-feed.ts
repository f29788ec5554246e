import { setTimeout as pause } from 'node:timers/promises';
import { startWorkerProcess } from '../../src/modules/webhooks/testing/worker-process.ts';
import { type TestOrganization, testOrganization } from '../harness/accounts.ts';
import { dropClusterDatabases, listNodeUrls, makeClusterDatabase } from '../harness/cluster-databases.ts';
import { hesitate } from './cluster/servers.ts';

const EVENTS = Number(process.env.CHAOS_EVENTS ?? 100_000);
const TENANTS = 8;
const BATCH = 100;
const GIVE_UP_MS = 900_000;

/**
 * Orders in bulk for tenants on every node while a worker hesitates, so that it commits later than the coordinator. Readers follow the feed from the
 * first order on, at the pace at which positions appear: each must see every event once.
 */
export async function run(): Promise<boolean> {
  const clusterUrl = process.env.CLUSTER_DATABASE_URL;
  if (!clusterUrl) {
    console.error('There is no cluster: set CLUSTER_DATABASE_URL.');
    return false;
  }
  const undo: (() => unknown)[] = [() => dropClusterDatabases(clusterUrl)];
  try {
    const [, worker] = (await listNodeUrls(clusterUrl)).map((url) => new URL(url).port);
    if (worker === undefined) throw new Error('the cluster has no worker');
    const { url, sql } = await makeClusterDatabase(clusterUrl);
    const { baseUrl, end } = await startWorkerProcess({
      DATABASE_URL: url,
      DUKKAN_SECRET: 'a secret for chaos only, long enough',
      DUKKAN_ROLES: 'api,worker',
      DUKKAN_CONSOLE: 'off',
      METRICS_PORT: 'off',
      PORT: '0',
    });
    undo.push(() => end('SIGTERM'));
    const shops: TestOrganization[] = [];
    for (let tenant = 0; tenant < TENANTS; tenant += 1) shops.push(await testOrganization(sql));
    const tokens = shops.map(({ owner }) => owner.token);

    let isWriting = true;
    const hesitating = (async () => {
      while (isWriting) await hesitate(clusterUrl, worker, 1_000);
    })();
    const each = EVENTS / TENANTS;
    const readers = tokens.map((token) => follow(baseUrl, token, each));
    const placed = await Promise.all(tokens.map((token) => placeInBulk(baseUrl, token, each)));
    isWriting = false;
    await hesitating;
    const seen = await Promise.all(readers);
    const stored = await Promise.all(
      shops.map(async ({ id }) => {
        const rows = await sql<{ id: string }[]>`select id from orders where organization_id = ${id}`;
        return rows.map((row) => row.id);
      }),
    );
    undo.push(() => sql.end({ timeout: 1 }));
    const missingOf = (ids: string[], read: Set<string>) => ids.filter((id) => !read.has(id)).length;
    const figures = {
      'orders acknowledged': placed.reduce((sum, count) => sum + count, 0),
      'orders stored': stored.flat().length,
      'events read': seen.flat().length,
      'missing in the feed': stored.reduce((sum, ids, index) => sum + missingOf(ids, new Set(seen[index])), 0),
      'read twice': seen.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
    };
    console.table(figures);
    const isWhole = figures['orders acknowledged'] === EVENTS && figures['orders stored'] === EVENTS;
    return isWhole && figures['missing in the feed'] + figures['read twice'] === 0;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** The number of acknowledged orders. A refused batch is sent again under its key. */
async function placeInBulk(baseUrl: string, token: string, count: number): Promise<number> {
  let batch = 0;
  while (batch * BATCH < count) {
    const orders = Array.from({ length: BATCH }, () => ({
      order_status: 'RECEIVED',
      fulfillment_status: 'None',
      skus: ['s'],
      products: [{ product_id: 'p', sku_id: 's', quantity: 1, price: 5 }],
      total_amount: 5,
    }));
    const response = await fetch(`${baseUrl}/api/v1/orders/bulk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `batch-${batch}`,
      },
      body: JSON.stringify({ mode: 'create', orders }),
    }).catch(() => undefined);
    const text = (await response?.text().catch(() => '')) ?? '';
    if (response?.ok) batch += 1;
    else if (response !== undefined && response.status < 500 && response.status !== 429) throw new Error(text);
    else await pause(200);
  }
  return batch * BATCH;
}

/** Reads on where it stopped, whatever is there, until it has seen as many events as are written. */
async function follow(baseUrl: string, token: string, count: number): Promise<string[]> {
  const seen: string[] = [];
  let cursor = '';
  const untilMs = performance.now() + GIVE_UP_MS;
  while (seen.length < count && performance.now() < untilMs) {
    const response = await fetch(`${baseUrl}/api/v1/orders/changes?cursor=${cursor}&limit=500`, {
      headers: { authorization: `Bearer ${token}` },
    }).catch(() => undefined);
    if (!response?.ok) {
      await pause(100);
      continue;
    }
    const page = (await response.json()) as { events: { order_id: string }[]; next_cursor: string };
    seen.push(...page.events.map(({ order_id }) => order_id));
    cursor = page.next_cursor;
    if (page.events.length === 0) await pause(50);
  }
  return seen;
}
