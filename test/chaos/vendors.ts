import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { connectDatabase, type Sql } from '../../src/platform/database/index.ts';
import { createAuthority } from '../../src/platform/outbound/testing/certificates.ts';
import { connectionUrl, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { type TestOrganization, testOrganization } from '../harness/accounts.ts';
import { call } from '../harness/client.ts';
import { startProcess } from '../start/service-process.ts';
import { HOSTILITIES, startHostileVendor } from '../vendors/hostile.ts';

const SECRET = 'a secret for chaos only, long enough';
const TENANTS = 3;
const INSTALLS_OF_EACH = 2;
const NOTICES_PER_SECOND = 40;
const ORDERS_PER_SECOND = 5;
const SAMPLE_EVERY_MS = 5_000;
const SETTLE_MS = 60_000;
/** 187 MB at rest were measured; vendors may have 48 calls of 2 MB under way. */
const MOST_MEMORY_MB = 600;

/**
 * Three tenants whose vendors hang, drip, answer 4 MB for ever and redirect to themselves, while a fourth takes orders by webhook.
 * The service must stay the same process, within its memory, and make every order that it accepted.
 */
export function run(): Promise<boolean> {
  return besiege(Number(process.env.CHAOS_MINUTES ?? 60));
}

export function runTiny(): Promise<boolean> {
  return besiege(1);
}

type Target = { baseUrl: string; id: string; token: string };

async function besiege(minutes: number): Promise<boolean> {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  try {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-chaos-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const authority = await createAuthority('Vendors');
    const caFile = path.join(dataDir, 'vendors.pem');
    await writeFile(caFile, authority.cert);
    const vendor = await startHostileVendor(await authority.issue({ addresses: ['127.0.0.1'] }));
    undo.push(vendor.close);
    const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), listen: 'tcp' });
    undo.push(() => postgres.stop());
    const service = await startProcess({
      DATABASE_URL: connectionUrl(postgres.connection),
      DUKKAN_SECRET: SECRET,
      DUKKAN_DATA_DIR: dataDir,
      DUKKAN_DEMO: 'false',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
      WEBHOOK_CA_FILE: caFile,
      MAX_CONNECTIONS_PER_ADDRESS: '0',
      HOST: '127.0.0.1',
    });
    undo.push(() => service.stop());
    const sql = connectDatabase(connectionUrl(postgres.connection), { poolSize: 2, applicationName: 'chaos' });
    undo.push(() => sql.end({ timeout: 1 }));
    const hostile: Target[] = [];
    for (let tenant = 0; tenant < TENANTS; tenant += 1) {
      hostile.push(...(await addHostile(sql, service.baseUrl, vendor.port)));
    }
    const quiet = await addQuiet(service.baseUrl, await testOrganization(sql));

    const memoryMb: number[] = [];
    const endsAtMs = performance.now() + minutes * 60_000;
    const isOver = () => performance.now() >= endsAtMs || service.child.exitCode !== null;
    const [notices, orders] = await Promise.all([
      atPace(NOTICES_PER_SECOND, isOver, (number) => sendNotice(hostile[number % hostile.length] as Target, number)),
      atPace(ORDERS_PER_SECOND, isOver, (number) => sendOrder(quiet, number)),
      sampleMemory(service.child.pid ?? 0, isOver, memoryMb),
    ]);
    return await judge(sql, { quiet, notices, orders, memoryMb, isAlive: service.child.exitCode === null });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function addHostile(sql: Sql, baseUrl: string, port: number): Promise<Target[]> {
  const tenant = await testOrganization(sql);
  const installs: Target[] = [];
  for (const mode of HOSTILITIES) {
    const settings = { access_token: 'Atza|chaos', api_base_url: `https://127.0.0.1:${port}/${mode}` };
    for (let made = 0; made < INSTALLS_OF_EACH; made += 1) {
      const { id, ingest_token: token } = await addInstall(baseUrl, tenant, 'amazon-sp', settings);
      installs.push({ baseUrl, id, token });
    }
  }
  return installs;
}

async function addQuiet(baseUrl: string, tenant: TestOrganization): Promise<Target> {
  const { id } = await addInstall(baseUrl, tenant, 'woocommerce', { webhook_secret: SECRET });
  return { baseUrl, id, token: SECRET };
}

async function addInstall(baseUrl: string, { owner }: TestOrganization, app_slug: string, settings: object) {
  const body = { app_slug, settings };
  const made = await call<{ data: { id: string; ingest_token: string } }>(baseUrl, 'POST /apps', {
    token: owner.token,
    body,
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}

/** So many a second, whatever the answers; how many were accepted. */
async function atPace(
  perSecond: number,
  isOver: () => boolean,
  send: (number: number) => Promise<boolean>,
): Promise<number> {
  const underWay = new Set<Promise<void>>();
  const startMs = performance.now();
  let accepted = 0;
  for (let number = 0; !isOver(); number += 1) {
    const sending = send(number)
      .then((isAccepted) => {
        if (isAccepted) accepted += 1;
      })
      .catch(() => undefined)
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
    await pause(Math.max(0, startMs + ((number + 1) * 1000) / perSecond - performance.now()));
  }
  await Promise.all(underWay);
  return accepted;
}

async function sendNotice({ baseUrl, id, token }: Target, number: number): Promise<boolean> {
  const notice = {
    NotificationType: 'ORDER_CHANGE',
    NotificationMetadata: { NotificationId: `chaos-${number}` },
    Payload: { OrderChangeNotification: { AmazonOrderId: `902-${number}` } },
  };
  return post(`${baseUrl}/api/v1/ingest/${id}`, JSON.stringify(notice), { 'x-ingest-token': token });
}

async function sendOrder({ baseUrl, id, token }: Target, number: number): Promise<boolean> {
  const body = JSON.stringify({
    id: number + 1,
    status: 'processing',
    currency: 'SAR',
    date_modified_gmt: new Date().toISOString().slice(0, 19),
    total: '46.00',
    line_items: [{ id: 1, product_id: 7, quantity: 2, subtotal: '46.00', sku: 'HON-1', name: 'عسل' }],
  });
  const signature = createHmac('sha256', token).update(body).digest('base64');
  return post(`${baseUrl}/api/v1/ingest/${id}`, body, {
    'x-wc-webhook-signature': signature,
    'x-wc-webhook-topic': 'order.created',
  });
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<boolean> {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  await answer.arrayBuffer();
  return answer.status === 202;
}

async function sampleMemory(pid: number, isOver: () => boolean, samples: number[]): Promise<void> {
  while (!isOver()) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
    if (kilobytes !== undefined) samples.push(Math.round(Number(kilobytes) / 1024));
    await pause(SAMPLE_EVERY_MS);
  }
}

async function judge(
  sql: Sql,
  seen: { quiet: Target; notices: number; orders: number; memoryMb: number[]; isAlive: boolean },
): Promise<boolean> {
  const { quiet, notices, orders, memoryMb, isAlive } = seen;
  const made = async () =>
    (await sql<{ total: number }[]>`select count(*)::int as total from orders where source = ${quiet.id}`)[0]?.total ??
    0;
  for (const endMs = performance.now() + SETTLE_MS; (await made()) < orders && performance.now() < endMs; ) {
    await pause(500);
  }
  const [delay] = await sql<{ p99: number; max: number }[]>`
    select coalesce(percentile_cont(0.99) within group (order by extract(epoch from processed_at - received_at)), 0)::float8 as p99,
           coalesce(max(extract(epoch from processed_at - received_at)), 0)::float8 as max
    from staged_payloads where organization_app_id = ${quiet.id}`;
  const total = await made();
  const most = Math.max(0, ...memoryMb);
  console.log(
    `${notices} notices of hostile vendors accepted; ${orders} orders of the quiet tenant accepted, ${total} made`,
  );
  console.log(`from received to made: p99 ${delay?.p99.toFixed(2)} s, longest ${delay?.max.toFixed(2)} s`);
  console.log(`memory: ${memoryMb[0]} MB at first, ${most} MB at most, ${memoryMb.at(-1)} MB at the end`);
  return isAlive && total === orders && orders > 0 && most > 0 && most <= MOST_MEMORY_MB;
}
