import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startWorkerProcess } from '../../src/modules/webhooks/testing/worker-process.ts';
import { readLayout } from '../../src/platform/database/index.ts';
import { createAuthority } from '../../src/platform/outbound/testing/certificates.ts';
import { dropClusterDatabases, listNodeUrls, makeClusterDatabase } from '../harness/cluster-databases.ts';
import { connectPatiently } from '../harness/connect-patiently.ts';
import { pourLoad } from './cluster/load.ts';
import { hesitate, pauseServer } from './cluster/servers.ts';
import { makeTenants } from './cluster/tenants.ts';
import { caughtUp, judge } from './cluster/verdict.ts';
import { startChaosReceiver } from './webhooks/receiver.ts';

const PHASE_MS = Number(process.env.CHAOS_LOAD_MS ?? 8_000);
const RETRY_DELAYS = Array(60).fill('0.5').join(',');

/**
 * A cluster whose nodes run on this machine, under the load of tenants on every node (orders, payloads of an app, sales, webhooks): a worker
 * hesitates for 40 ms again and again, one is paused, one is killed and started, then the coordinator. CLUSTER_CONTROL is a program that is
 * called with `kill PORT` and `start PORT`.
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
    const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-chaos-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const authority = await createAuthority();
    const caFile = path.join(dataDir, 'ca.pem');
    await writeFile(caFile, authority.cert);
    const receiver = await startChaosReceiver(await authority.issue({ addresses: ['127.0.0.1'] }));
    receiver.calm();
    undo.push(receiver.close);
    const { url, sql } = await makeClusterDatabase(clusterUrl);
    const service = await startWorkerProcess({
      DATABASE_URL: url,
      DUKKAN_SECRET: 'a secret for chaos only, long enough',
      DUKKAN_DATA_DIR: dataDir,
      DUKKAN_ROLES: 'api,worker',
      DUKKAN_CONSOLE: 'off',
      METRICS_PORT: 'off',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
      STAGING_RETRY_DELAYS: RETRY_DELAYS,
      PORT: '0',
    });
    undo.push(() => service.end('SIGTERM'));
    const { baseUrl } = service;
    const tenants = await makeTenants(sql, baseUrl, `https://127.0.0.1:${receiver.port}`);
    await sql.end({ timeout: 1 });

    const load = pourLoad(baseUrl, tenants);
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

    const after = connectPatiently(url, 2);
    undo.push(() => after.end({ timeout: 1 }));
    after.useLayout(await readLayout(after));
    await caughtUp(after);
    const delivered = new Set(receiver.seen.filter(({ status }) => status === 200).map(({ key }) => key));
    const figures = await judge(after, baseUrl, tenants, acknowledged, (tenant, event) =>
      delivered.has(`/${tenant} ${event}`),
    );
    console.table(outcomes);
    console.table(figures);
    const refusedOnLiving = outcomes
      .filter(({ phase, node }) => !phase.includes('coordinator') && node !== worker)
      .reduce((sum, { refused }) => sum + refused, 0);
    const wrong = outcomes.reduce((sum, { otherThan503 }) => sum + otherThan503, 0);
    console.log(`refused for tenants of living nodes: ${refusedOnLiving}; by anything but 503: ${wrong}`);
    const faults = Object.values(figures).slice(4);
    return faults.every((count) => count === 0) && refusedOnLiving === 0 && wrong === 0;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
