import { setTimeout as delay } from 'node:timers/promises';
import { woocommerce } from '../../src/channels/woocommerce/index.ts';
import { NO_BRANCH, type Order } from '../../src/modules/orders/order.ts';
import { buildOrder } from '../../src/modules/orders/place/build-order.ts';
import type { OrderInput } from '../../src/modules/orders/schema.ts';
import { orderUpdate } from '../../src/modules/staging/build-order-update.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { BenchService } from '../frame/start-service.ts';
import type { Sample } from '../load/plan.ts';
import { insertOrdersPlainly } from '../orders/baseline-inserts.ts';
import { type BenchInstall, KEPT_HEADERS, nextOrderId, payloadOf } from './payloads.ts';

/** As many as a worker takes at once. */
export const ORDERS_EACH = 64;
const STAGED_AT_ONCE = 1_000;
const LOOK_EVERY_MS = 20;

/**
 * The barest statement that stores the same facts, as in the bench of orders: the order with the vendor's text, and its event.
 * What the payload says was read beforehand.
 */
export async function insertOrdersOf(sql: Sql, install: BenchInstall): Promise<void> {
  const orders = Array.from({ length: ORDERS_EACH }, () => orderOf(install, nextOrderId()));
  await insertOrdersPlainly(sql, orders, `[${orders.map(withPayload).join(',')}]`);
}

const READ = readOnce();

function orderOf(install: BenchInstall, orderId: string): Order {
  const input = { ...READ, source: install.id, source_transaction_id: orderId, source_reference: orderId };
  const channel = {
    organization_app_id: install.id,
    app_slug: woocommerce.app.slug,
    channel_family: woocommerce.app.family,
    channel_kind: woocommerce.app.kind,
  };
  return buildOrder(install.organizationId, input, NO_BRANCH, channel, new Date());
}

/** The vendor's text as it came, without being read. */
function withPayload({ raw: _none, ...order }: Order): string {
  return `${JSON.stringify(order).slice(0, -1)},"raw":${payloadOf(order.source_transaction_id ?? '')}}`;
}

function readOnce(): OrderInput {
  const receivedAt = new Date();
  const call = { method: 'POST', path: '', query: {}, headers: KEPT_HEADERS, body: Buffer.from(payloadOf('1')) };
  const reading = woocommerce.read(call, { settings: {}, timeZone: 'Asia/Riyadh', currency: 'SAR', receivedAt });
  if (reading.kind !== 'order') throw new Error(`the payload is read as ${reading.kind}`);
  const around = {
    installId: '',
    currency: 'SAR',
    receivedAt,
    placeOf: () => NO_BRANCH,
    matchOf: () => undefined,
    raw: '',
  };
  const { update, differs } = orderUpdate(reading, around);
  if (differs) throw new Error('the amounts of the payload do not add up');
  const words = { order_status: 'RECEIVED', payment_status: null, fulfillment_status: 'None' };
  return { ...(update.order as OrderInput), ...words };
}

/** Received, but not in the queue yet: not read until `drain` puts them there. */
export async function stage(sql: Sql, installs: BenchInstall[], count: number): Promise<void> {
  for (let staged = 0; staged < count; staged += STAGED_AT_ONCE) {
    const rows = Array.from({ length: Math.min(STAGED_AT_ONCE, count - staged) }, (_, index) => {
      const install = installs[(staged + index) % installs.length] as BenchInstall;
      return { id: newId(), install, payload: Buffer.from(payloadOf(nextOrderId())) };
    });
    await sql`
      insert into staged_payloads (organization_id, organization_app_id, id, app_slug, method, path, query, headers,
                                   payload, received_at)
      select organization_id, install_id, id, 'woocommerce', 'POST', '', '{}', ${JSON.stringify(KEPT_HEADERS)}::text::json,
             payload, ${new Date()}
      from unnest(${rows.map(({ install }) => install.organizationId)}::uuid[],
                  ${rows.map(({ install }) => install.id)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
                  ${rows.map(({ payload }) => `\\x${payload.toString('hex')}`)}::bytea[])
           as r (organization_id, install_id, id, payload)`;
  }
}

/** From the moment in which all of them are due to the commit of the last order. */
export async function drain({ sql, process }: BenchService, count: number): Promise<Sample> {
  const before = { ...(await readTotals(sql)), usage: await process.readUsage() };
  await sql`
    insert into staging_queue (organization_app_id, staging_id, organization_id, app_slug, received_at, due_at, bytes)
    select organization_app_id, id, organization_id, app_slug, received_at, received_at, octet_length(payload)
    from staged_payloads where status = 'pending'`;
  const startMs = performance.now();
  await sql`select pg_notify('staging_queue', 'bench')`;
  let now = await readTotals(sql);
  while (now.settled < before.settled + count) {
    await delay(LOOK_EVERY_MS);
    now = await readTotals(sql);
  }
  const elapsedMs = performance.now() - startMs;
  const { cpuMs } = await process.readUsage();
  return {
    count,
    perSecond: (count * 1000) / elapsedMs,
    p50Ms: 0,
    p99Ms: 0,
    failed: now.failed - before.failed,
    serverCpuUs: ((cpuMs - before.usage.cpuMs) * 1000) / count,
  };
}

/** Sixteen rows, however long the queue is. */
async function readTotals(sql: Sql): Promise<{ settled: number; failed: number }> {
  const [row] = await sql<[{ settled: number; failed: number }]>`
    select sum(processed + failed)::bigint as settled, sum(failed)::bigint as failed from staging_totals`;
  return row;
}
