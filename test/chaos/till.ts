import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seedCatalog } from '../../src/modules/skus/testing/catalog.ts';
import { FIRST_PREVIOUS_HASH } from '../../src/modules/till/invoice-xml.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { testOrganization } from '../harness/accounts.ts';
import { call } from '../harness/client.ts';
import { caughtUp, connect, createService, freePort, wreck } from './orders.ts';

const CASHIERS = 32;
const SKUS = ['A_SHOP', 'B_SHOP', 'C_SHOP'];
/** Little enough that the last ones stand before an empty shelf. */
const STOCK = Number(process.env.CHAOS_STOCK ?? 2_000);
/** Far longer than any blow lasts: a cashier who stopped retrying would not know what to count. */
const GIVE_UP_AFTER_MS = 900_000;

type Tally = { sold: Set<string>; outOfStock: number; invoiced: number; unknown: number };

/**
 * Cashiers sell the same three articles and print an invoice for each sale, while the service is killed at random moments
 * and its PostgreSQL is thrown over. Each repeats a request under its key until it knows how it ended. At the end: the shelf
 * has what it had less what was sold, every sale is there once with one invoice, and the numbers have no gap and one chain.
 */
export async function run(): Promise<boolean> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-chaos-'));
  const port = await freePort();
  const service = createService(dataDir, port);
  let sql: Sql | undefined;
  try {
    await service.start();
    sql = await connect(dataDir);
    const shop = await testOrganization(sql);
    const products = ['A', 'B', 'C'].map((iv_id) => ({ iv_id, name_en: iv_id, average_price: 3.33 }));
    await seedCatalog(sql, shop.id, { products, branches: ['SHOP'] });
    await sql`update skus set current_qty = ${STOCK} where organization_id = ${shop.id}`;
    await sql`update organizations set vat_number = '300000000000003' where id = ${shop.id}`;
    const tally: Tally = { sold: new Set(), outOfStock: 0, invoiced: 0, unknown: 0 };
    let isOpen = true;
    const baseUrl = `http://127.0.0.1:${port}`;
    const cashiers = Array.from({ length: CASHIERS }, (_, cashier) =>
      serve(baseUrl, shop.owner.token, cashier, tally, () => isOpen),
    );
    await wreck(service, dataDir);
    isOpen = false;
    await Promise.all(cashiers);
    await sql.end({ timeout: 1 }).catch(() => undefined);
    sql = await connect(dataDir);
    return await report(sql, tally, shop.id);
  } finally {
    await sql?.end({ timeout: 1 }).catch(() => undefined);
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function serve(
  baseUrl: string,
  token: string,
  cashier: number,
  tally: Tally,
  goOn: () => boolean,
): Promise<void> {
  for (let bill = 0; goOn(); bill += 1) {
    const first = (cashier + bill) % SKUS.length;
    const skus = [...SKUS.slice(first), ...SKUS.slice(0, first)].slice(0, 1 + (bill % SKUS.length));
    const sale = await untilKnown(baseUrl, 'POST /till/orders', {
      token,
      headers: { 'idempotency-key': `bill-${cashier}-${bill}` },
      body: {
        branch_iv_id: 'SHOP',
        payment_method: 'cash',
        lines: skus.map((sku_iv_id, index) => ({ sku_iv_id, quantity: index + 1 })),
      },
    });
    if (sale === undefined) tally.unknown += 1;
    else if (sale.status === 409) {
      tally.outOfStock += 1;
      await pause(50);
    } else {
      tally.sold.add(sale.body.data.id);
      const invoice = await untilKnown(baseUrl, `POST /orders/${sale.body.data.id}/invoice`, { token });
      if (invoice !== undefined) tally.invoiced += 1;
    }
  }
}

/** Until the service has said yes, or that there is nothing left; anything else was the chaos. */
async function untilKnown(baseUrl: string, target: string, options: Parameters<typeof call>[2]) {
  const startedMs = performance.now();
  while (performance.now() - startedMs < GIVE_UP_AFTER_MS) {
    const reply = await call(baseUrl, target, options).catch(() => undefined);
    if (reply !== undefined && [200, 201, 409].includes(reply.status)) return reply;
    await pause(100);
  }
  return undefined;
}

async function report(sql: Sql, tally: Tally, organizationId: string): Promise<boolean> {
  await caughtUp(sql);
  const orders = await sql<{ id: string; products: { sku_id: string; quantity: number }[] }[]>`
    select id, products from orders where organization_id = ${organizationId}`;
  const stock = await sql<{ iv_id: string; current_qty: number }[]>`
    select iv_id, current_qty from skus where organization_id = ${organizationId}`;
  const invoices = await sql<
    { order_id: string; position: number; hash: string; previous_hash: string; xml: string }[]
  >`
    select order_id, position, hash, previous_hash, xml from invoices where organization_id = ${organizationId}
    order by position`;
  const events = await sql<{ type: string; orders: number; events: number }[]>`
    select type, count(distinct order_id) as orders, count(*) as events from order_events
    where organization_id = ${organizationId} group by type`;
  const countOf = (type: string) => events.find((row) => row.type === type) ?? { orders: 0, events: 0 };
  const soldOf = (skuId: string) =>
    orders.flatMap(({ products }) => products.filter((line) => line.sku_id === skuId)).reduce(sumQuantity, 0);
  const stored = new Set(orders.map(({ id }) => id));
  const figures = {
    'sales acknowledged': tally.sold.size,
    'out of stock': tally.outOfStock,
    invoices: invoices.length,
    'outcome unknown to the cashier': tally.unknown,
    'acknowledged but missing': [...tally.sold].filter((id) => !stored.has(id)).length,
    'stored, not answered': orders.length - tally.sold.size,
    'stock off by': stock.reduce((off, row) => off + Math.abs(STOCK - soldOf(row.iv_id) - row.current_qty), 0),
    'below zero': stock.filter((row) => row.current_qty < 0).length,
    'sales without an invoice': orders.length - new Set(invoices.map(({ order_id }) => order_id)).size,
    'numbers with a gap or twice': invoices.filter(({ position }, index) => position !== index + 1).length,
    'links that do not hold': invoices.filter(({ previous_hash }, index) => {
      return previous_hash !== (invoices[index - 1]?.hash ?? FIRST_PREVIOUS_HASH);
    }).length,
    'hashes of another text': invoices.filter(({ xml, hash }) => hashOf(xml) !== hash).length,
    'created events off by': Math.abs(countOf('order.created').events - orders.length),
    'invoiced events off by': Math.abs(countOf('order.invoiced').events - invoices.length),
  };
  console.table(figures);
  const faults = Object.entries(figures).slice(3);
  return invoices.length > 0 && faults.every(([, count]) => count === 0);
}

const sumQuantity = (sum: number, { quantity }: { quantity: number }) => sum + quantity;

function hashOf(xml: string): string {
  const qr = /<cac:AdditionalDocumentReference><cbc:ID>QR<.*?<\/cac:AdditionalDocumentReference>/;
  return createHash('sha256')
    .update(xml.slice(xml.indexOf('\n') + 1).replace(qr, ''))
    .digest('base64');
}
