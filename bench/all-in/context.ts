import { randomBytes } from 'node:crypto';
import { connectDatabase, type Sql } from '../../src/platform/database/index.ts';
import { testOrganization } from '../../test/harness/accounts.ts';
import { call } from '../../test/harness/client.ts';
import type { Frame } from '../frame/frame.ts';
import type { BenchService } from '../frame/start-service.ts';
import type { BenchInstall } from '../ingest/payloads.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import type { AllInCase } from './cases.ts';
import { waitUntilCaughtUp } from './caught-up.ts';
import type { WriterName } from './figures.ts';
import type { Meters, Work, Writer } from './measure.ts';
import { addPairTables, openPairWriter } from './minimal-pair.ts';
import { openPostgresCpu } from './postgres-cpu.ts';
import type { Params } from './requests.ts';
import { openStatements, type Statements } from './statements.ts';
import { openWal } from './wal.ts';

export type AllInContext = {
  server: string;
  pair: string;
  meters: Meters;
  statements: Statements | undefined;
  serviceDatabase: string;
  writerOf(name: WriterName, entry: AllInCase): Writer;
};

const INSTALLS = 4;
const REQUESTS = new URL('./requests.ts', import.meta.url).href;

/** One server with three databases: of the minimal pair, of the bare server, and of the service. */
export async function openContext(frame: Frame, options: { statements: boolean }): Promise<AllInContext> {
  const server = await frame.startServer(options.statements ? { shared_preload_libraries: 'pg_stat_statements' } : {});
  const connect = (url: string): Sql => {
    const sql = connectDatabase(url, { poolSize: 1, applicationName: 'bench' });
    frame.atEnd(() => sql.end({ timeout: 1 }));
    return sql;
  };
  const pairUrl = await server.makeDatabase();
  const pairSql = connect(pairUrl);
  await addPairTables(pairSql);
  const pair = await openPairWriter(frame, pairUrl);

  const receiver = await openReceiver(frame);
  const serviceUrl = await server.makeDatabase();
  const service = await frame.startService({ databaseUrl: serviceUrl, env: receiver.serviceEnv });
  const { organizationId, token, installs } = await addShop(service, `${receiver.origin}/fast`);

  const bareUrl = await server.makeDatabase();
  const bare = await frame.startBaseline('bare-order-writer.ts', {
    SETUP: JSON.stringify({ databaseUrl: bareUrl, tokens: [[token, organizationId]], installs }),
  });
  const bareSql = connect(bareUrl);

  const params: Params = { token, installs };
  const loadOf = (baseUrl: string, entry: AllInCase) => async (seconds: number) => {
    const { connections, expect, maker, ordersEach } = entry;
    const plan = { baseUrl, connections, expect, module: REQUESTS, maker, params };
    const { count, perSecond, ...sample } = await frame.load(plan, seconds);
    return { ...sample, orders: count * ordersEach, perSecond: perSecond * ordersEach } satisfies Work;
  };
  let placed = 0;
  const writers: Record<WriterName, (entry: AllInCase) => Writer> = {
    pair: () => ({
      sql: pairSql,
      async work(seconds) {
        const { count, perSecond } = await pair.write(seconds);
        return { orders: count, perSecond, failed: 0 };
      },
    }),
    bare: (entry) => ({ sql: bareSql, process: bare.process, work: loadOf(bare.baseUrl, entry) }),
    service: (entry) => ({
      sql: service.sql,
      process: service.process,
      work: loadOf(service.baseUrl, entry),
      async catchUp(orders) {
        placed += orders;
        await waitUntilCaughtUp({ baseUrl: service.baseUrl, token }, receiver, placed);
      },
    }),
  };
  const [version] = await server.sql<{ text: string }[]>`select current_setting('server_version') as text`;
  const [database] = await service.sql<{ name: string }[]>`select current_database() as name`;
  return {
    server: `PostgreSQL ${version?.text}${server.isEmbedded ? ' (embedded)' : ''}`,
    pair: pair.description,
    meters: { server: server.sql, cpu: await openPostgresCpu(server.sql), wal: await openWal(server.sql) },
    statements: options.statements ? await openStatements(server.sql) : undefined,
    serviceDatabase: database?.name ?? '',
    writerOf: (name, entry) => writers[name](entry),
  };
}

/** A tenant with one webhook subscription and a few installs of one app. */
async function addShop({ baseUrl, sql }: BenchService, target: string) {
  const { id: organizationId, owner } = await testOrganization(sql);
  const { token } = owner;
  const subscribed = await call(baseUrl, 'POST /webhook-subscriptions', { token, body: { url: target } });
  if (subscribed.status !== 201) throw new Error(subscribed.text);
  const installs: BenchInstall[] = [];
  for (let index = 0; index < INSTALLS; index += 1) {
    const secret = randomBytes(24).toString('base64url');
    const body = { app_slug: 'woocommerce', settings: { webhook_secret: secret } };
    const made = await call<{ data: { id: string } }>(baseUrl, 'POST /apps', { token, body });
    if (made.status !== 201) throw new Error(made.text);
    installs.push({ id: made.body.data.id, organizationId, secret });
  }
  return { organizationId, token, installs };
}
