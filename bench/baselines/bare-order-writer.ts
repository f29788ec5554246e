import fastify from 'fastify';
import pg from 'pg';
import { OrderBody, type OrderInput } from '../../src/modules/orders/schema.ts';
import { newId } from '../../src/platform/ids.ts';
import { type BareOrder, buildBareOrder, buildEvent, rowOf } from './bare-order-writer/build-order.ts';
import { readVendorOrder, verifyVendorCall } from './bare-order-writer/read-payload.ts';
import { addBareTables, INSERT_BATCH } from './bare-order-writer/schema.ts';

/**
 * What this machine can do for an order over HTTP: JSON schema, a token looked up in memory, the full order and its event built
 * as JSON, batches in one prepared statement, an order table with nine btrees, the event written once. Nothing follows: no projections,
 * deliveries, counters, rights, limits or unknown-field checks.
 */
type Setup = {
  databaseUrl: string;
  tokens: [token: string, organizationId: string][];
  installs: { id: string; organizationId: string; secret: string }[];
};
type Row = { order: BareOrder; json: string; event: string };
type Waiting = Row & { resolve(): void; reject(error: unknown): void };

const { databaseUrl, tokens, installs } = JSON.parse(process.env.SETUP ?? '{}') as Setup;
const BATCH_ROWS = 64;
/** One statement is written while the next collects its rows. */
const STATEMENTS_AT_ONCE = 2;
const BODY_LIMIT_BYTES = 1024 * 1024;

const organizations = new Map(tokens);
const installsById = new Map(installs.map((install) => [install.id, install]));
const pool = new pg.Pool({ connectionString: databaseUrl, max: STATEMENTS_AT_ONCE });
await addBareTables(pool);

let waiting: Waiting[] = [];
let running = 0;

function toRow(order: BareOrder, payload?: string): Row {
  return { order, json: rowOf(order, payload), event: buildEvent(order) };
}

function write(row: Row): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.push({ ...row, resolve, reject });
    if (running < STATEMENTS_AT_ONCE) queueMicrotask(writeNext);
  });
}

async function writeNext(): Promise<void> {
  if (waiting.length === 0 || running >= STATEMENTS_AT_ONCE) return;
  const batch = waiting.slice(0, BATCH_ROWS);
  waiting = waiting.slice(BATCH_ROWS);
  running += 1;
  try {
    await insert(batch);
    for (const { resolve } of batch) resolve();
  } catch (error) {
    for (const { reject } of batch) reject(error);
  } finally {
    running -= 1;
    writeNext();
  }
}

async function insert(rows: Row[]): Promise<void> {
  await pool.query({
    name: 'insert-batch',
    text: INSERT_BATCH,
    values: [
      `[${rows.map(({ json }) => json).join(',')}]`,
      rows.map(({ order }) => order.organization_id),
      rows.map(({ order }) => order.id),
      rows.map(({ event }) => event),
    ],
  });
}

// Bodies are checked as they are, without conversions.
const app = fastify({
  bodyLimit: BODY_LIMIT_BYTES,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
});

function organizationOf(authorization: string | undefined): string {
  const organizationId = organizations.get(authorization?.slice('Bearer '.length) ?? '');
  if (organizationId === undefined) throw Object.assign(new Error('Unauthorized'), { statusCode: 401 });
  return organizationId;
}

app.post<{ Body: OrderInput }>('/api/v1/orders', { schema: { body: OrderBody } }, async (request, reply) => {
  const order = buildBareOrder(organizationOf(request.headers.authorization), newId(), request.body, new Date());
  await write(toRow(order));
  reply.code(201);
  return { message: 'Order created', data: { id: order.id, order_number: order.order_code } };
});

const bulkBody = { type: 'object', required: ['orders'], properties: { orders: { type: 'array', items: OrderBody } } };

app.post<{ Body: { orders: OrderInput[] } }>('/api/v1/orders/bulk', { schema: { body: bulkBody } }, async (request) => {
  const organizationId = organizationOf(request.headers.authorization);
  const now = new Date();
  const orders = request.body.orders.map((input) => buildBareOrder(organizationId, newId(), input, now));
  await insert(orders.map((order) => toRow(order)));
  return { message: 'Orders created', data: orders.map((order) => ({ id: order.id, order_number: order.order_code })) };
});

await app.register(async (ingest) => {
  // The signature is over the bytes as they came.
  ingest.removeAllContentTypeParsers();
  ingest.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  ingest.post<{ Params: { install: string }; Body: Buffer }>('/api/v1/ingest/:install', async (request, reply) => {
    const install = installsById.get(request.params.install);
    const signature = String(request.headers['x-wc-webhook-signature']);
    if (install === undefined || !verifyVendorCall(request.body, signature, install.secret)) {
      throw Object.assign(new Error('Invalid signature'), { statusCode: 401 });
    }
    const raw = request.body.toString();
    const input = readVendorOrder(raw, install.id);
    await write(toRow(buildBareOrder(install.organizationId, newId(), input, new Date()), raw));
    reply.code(202);
    return { message: 'Accepted' };
  });
});

const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ baseUrl });
