import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase, type Sql } from '../src/platform/database/index.ts';
import { testOrganization } from '../test/harness/accounts.ts';
import { call } from '../test/harness/client.ts';
import { dropClusterDatabases, listNodeUrls, makeClusterDatabase } from '../test/harness/cluster-databases.ts';
import { openPostgresCpu } from './all-in/postgres-cpu.ts';
import type { Pace } from './frame/define-bench.ts';
import { defineReport } from './frame/define-report.ts';
import type { Frame } from './frame/frame.ts';
import { makeDatabase } from './frame/given-server.ts';
import type { BenchService } from './frame/start-service.ts';
import { openReceiver } from './webhooks/receiver.ts';

const PACE: Pace = { rounds: 3, seconds: 8, warmUpSeconds: 3 };
const TENANTS = 4;
const CONNECTIONS = 32;
/** As many as the slower one takes without a queue. */
const STEADY_PER_SECOND = 150;
const MAX_RATIO = 3;
const REQUESTS = new URL('./cluster/requests.ts', import.meta.url).href;

/** `coordinatorUs` is a part of `postgresUs`: what no further worker takes over. */
type Figures = { orders: number; perSecond: number; nodeUs: number; postgresUs: number; coordinatorUs: number };
type PostgresMs = { all: number; coordinator: number };
type Candidate = { service: BenchService; work(seconds: number, arrivalsPerSecond?: number): Promise<Figures> };
type Round = { plain: Figures; spread: Figures };

/**
 * The CPU time of an order on a cluster, with everything that follows it, against the same service on one server: the cluster's own
 * coordinator, with a database that is not spread. As fast as answers come, where one server has larger batches because it is faster, and at
 * the same rate of arrivals.
 */
export default defineReport('cluster', async (options, onProgress, open) => {
  const clusterUrl = process.env.CLUSTER_DATABASE_URL;
  if (!clusterUrl) throw new Error('There is no cluster: set CLUSTER_DATABASE_URL to a database of its coordinator.');
  const pace = options.paceOf(PACE);
  const [load = 0] = loadavg();
  const frame = await open();
  frame.atEnd(() => dropClusterDatabases(clusterUrl));
  const nodes = await Promise.all((await listNodeUrls(clusterUrl)).map((url) => openNode(frame, url)));
  const readPostgresMs = async () => {
    const each = await Promise.all(nodes.map((cpu) => cpu.readMs()));
    return { all: each.reduce((sum, ms) => sum + ms, 0), coordinator: each[0] ?? 0 };
  };

  const plainUrl = await makeDatabase(clusterUrl, { add: frame.atEnd } as Parameters<typeof makeDatabase>[1]);
  const { url: spreadUrl } = await makeClusterDatabase(clusterUrl);
  const plain = await openCandidate(frame, plainUrl, readPostgresMs);
  const spread = await openCandidate(frame, spreadUrl, readPostgresMs);
  for (const { work } of [plain, spread]) await work(pace.warmUpSeconds);
  const fastest: Round[] = [];
  const steady: Round[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    onProgress(`round ${round + 1} of ${pace.rounds}`);
    fastest.push({ plain: await plain.work(pace.seconds), spread: await spread.work(pace.seconds) });
    steady.push({
      plain: await plain.work(pace.seconds, STEADY_PER_SECOND),
      spread: await spread.work(pace.seconds, STEADY_PER_SECOND),
    });
  }
  const ratio = ratioOf(fastest);
  const text = [
    `${TENANTS} tenants, ${CONNECTIONS} connections, ${nodes.length} servers, ${pace.rounds} interleaved rounds of ${pace.seconds} s, medians; load before ${load.toFixed(1)}`,
    ...describeRounds('as fast as answers come', fastest),
    ...describeRounds(`${STEADY_PER_SECOND} orders a second`, steady),
  ].join('\n');
  const misses =
    ratio > MAX_RATIO ? [`an order costs ${ratio.toFixed(2)} of one server, at most ${MAX_RATIO} is wanted`] : [];
  return { text, figures: { load, ratio, steadyRatio: ratioOf(steady), fastest, steady }, misses };
});

const ratioOf = (rounds: Round[]) => median(rounds.map(({ plain, spread }) => cpuOf(spread) / cpuOf(plain)));

function describeRounds(title: string, rounds: Round[]): string[] {
  const row = (name: 'plain' | 'spread') => {
    const of = (pick: (figures: Figures) => number) => Math.round(median(rounds.map((round) => pick(round[name]))));
    const ofCoordinator = name === 'spread' ? `, ${of((one) => one.coordinatorUs)} of it on the coordinator` : '';
    return `  ${name}: ${of((one) => one.perSecond)} orders a second, CPU an order ${of((one) => one.nodeUs)} us Node + ${of((one) => one.postgresUs)} us PostgreSQL${ofCoordinator}`;
  };
  const ratio = `  an order on the cluster takes ${ratioOf(rounds).toFixed(2)} of one server`;
  return [`${title}:`, row('plain'), row('spread'), ratio];
}

async function openNode(frame: Frame, url: string) {
  const sql = connectDatabase(url, { poolSize: 1, applicationName: 'bench' });
  frame.atEnd(() => sql.end({ timeout: 1 }));
  const cpu = await openPostgresCpu(sql);
  if (cpu === undefined) throw new Error('The nodes of the cluster must run on this machine.');
  return cpu;
}

async function openCandidate(frame: Frame, url: string, readPostgresMs: () => Promise<PostgresMs>): Promise<Candidate> {
  const receiver = await openReceiver(frame);
  const service = await frame.startService({ databaseUrl: url, env: { ...receiver.serviceEnv, METRICS_PORT: 'off' } });
  const tokens: string[] = [];
  for (let tenant = 0; tenant < TENANTS; tenant += 1) {
    const { owner } = await testOrganization(service.sql);
    const body = { url: `${receiver.origin}/fast` };
    const subscribed = await call(service.baseUrl, 'POST /webhook-subscriptions', { token: owner.token, body });
    if (subscribed.status !== 201) throw new Error(subscribed.text);
    tokens.push(owner.token);
  }
  let placed = 0;
  return {
    service,
    async work(seconds, arrivalsPerSecond) {
      const fromMs = { node: (await service.process.readUsage()).cpuMs, postgres: await readPostgresMs() };
      const plan = {
        baseUrl: service.baseUrl,
        connections: CONNECTIONS,
        ...(arrivalsPerSecond === undefined ? {} : { arrivalsPerSecond }),
        expect: [201],
        module: REQUESTS,
        maker: 'ordersOfTenants',
        params: { tokens },
      };
      const { count, perSecond, failed, firstFailure } = await frame.load(plan, seconds);
      if (failed > 0) throw new Error(`${failed} orders failed: ${firstFailure}`);
      placed += count;
      await receiver.received(placed);
      await caughtUp(service.sql);
      const toMs = { node: (await service.process.readUsage()).cpuMs, postgres: await readPostgresMs() };
      return {
        orders: count,
        perSecond,
        nodeUs: ((toMs.node - fromMs.node) * 1000) / count,
        postgresUs: ((toMs.postgres.all - fromMs.postgres.all) * 1000) / count,
        coordinatorUs: ((toMs.postgres.coordinator - fromMs.postgres.coordinator) * 1000) / count,
      };
    },
  };
}

async function caughtUp(sql: Sql): Promise<void> {
  for (;;) {
    const behind = await sql`
      select f.name from event_followers f join event_positions e on e.tenant_group = f.tenant_group
      where f.position < e.last_position limit 1`;
    if (behind.length === 0) return;
    await delay(50);
  }
}

const cpuOf = ({ nodeUs, postgresUs }: Figures) => nodeUs + postgresUs;

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
