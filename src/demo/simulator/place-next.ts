import { fillBasket } from '../baskets.ts';
import { oneOf, writtenPhone } from '../buyers.ts';
import { branchIndexOf, composeOrder, isPaidOnline } from '../compose-order.ts';
import { pickWeighted } from '../rhythm.ts';
import { callService } from './call-service.ts';
import type { SimulatedShop } from './open-shop.ts';
import { isDay, stepsAfter } from './pace.ts';
import { planReport, report, sendFromVendor } from './report-status.ts';
import { sendPaylink } from './send-paylink.ts';
import type { Simulation } from './simulation.ts';

/** Vendor ids are made from the second of the order: unique in a shop, which gets an order every 20 s, and above those of the load. */
const FIRST_SECOND = Date.UTC(2026, 0, 1) / 1000;
export const orderNumberAt = (at: Date) => Math.floor(at.getTime() / 1000) - FIRST_SECOND;
const CANCELLED_EVERY = 9;
const FAILING_EVERY = 15;
const TILL_EVERY = 4;
const TILL_EVERY_AT_NIGHT = 8;
const PAYLINK_EVERY = 6;
const PROMISED_MS = 45 * 60_000;
const TILL_METHODS = ['cash', 'debit_card', 'credit_card'] as const;
/** What a delivery of goods brings when the till finds a SKU sold out. */
const RESTOCKED_QTY = 80;
const BASKETS_TRIED = 5;

/** The next order of a shop, by its count in this run: through the till, or as a call of a vendor to its ingest address. */
export async function placeNext(simulation: Simulation, shop: SimulatedShop, count: number): Promise<void> {
  const { random } = simulation;
  if (count % FAILING_EVERY === 0) await sendBrokenPayload(simulation, shop);
  if (count % PAYLINK_EVERY === PAYLINK_EVERY - 1) await sendPaylink(simulation, shop);
  const channel = channelOf(simulation, shop, count);
  if (channel === undefined) return;
  if (channel.family === 'till') return sellAtTill(simulation, shop);
  const placedAt = simulation.platform.clock.now();
  const buyer = oneOf(shop.buyers, random);
  const paidOnline = isPaidOnline(channel.family, random);
  const promisedFor = channel.family === 'pos' ? null : new Date(placedAt.getTime() + PROMISED_MS);
  const number = orderNumberAt(placedAt);
  const placed = { channel, number, placedAt, buyer, paidOnline, promisedFor };
  const order = composeOrder(shop.trader, placed, branchIndexOf(channel.family, buyer), random);
  const payment_status = paidOnline ? 'paid' : 'pending';
  const received = { at: placedAt, order_status: 'RECEIVED', payment_status, fulfillment_status: 'None' };
  await report(simulation, shop, channel.slug, { order, placedAt }, received, true);
  let atMs = placedAt.getTime();
  for (const { afterMs, ...statuses } of stepsAfter(
    channel.family,
    count % CANCELLED_EVERY === 0,
    paidOnline,
    random,
  )) {
    atMs += afterMs;
    planReport(simulation, shop, channel.slug, { order, placedAt }, statuses, new Date(atMs));
  }
}

/**
 * By day every fourth order is a sale at the till, every one to four minutes, and every eighth at night, when few branches are open. Left to
 * their share, sales at the till were up to ten minutes apart.
 */
function channelOf({ random, platform }: Simulation, { channels, weights }: SimulatedShop, count: number) {
  const till = channels.find(({ family }) => family === 'till');
  const every = isDay(platform.clock.now()) ? TILL_EVERY : TILL_EVERY_AT_NIGHT;
  if (till !== undefined && count % every === 1) return till;
  const online = weights.map((weight, index) => (channels[index] === till ? 0 : weight));
  return channels[pickWeighted(online, random)];
}

/** A payload that cannot be processed and waits in staging for a person: an order in a currency that does not exist. */
async function sendBrokenPayload(simulation: Simulation, shop: SimulatedShop): Promise<void> {
  const at = simulation.platform.clock.now();
  const body = {
    id: `ERP-X${orderNumberAt(at)}`,
    order_status: 'NEW',
    currency: 'RIYAL',
    total_amount: 115,
    products: [{ product_id: 'P-1', quantity: 1, price: 115 }],
  };
  await sendFromVendor(simulation, shop, 'generic', JSON.stringify(body));
}

/** Tries other baskets when a SKU is not on sale. */
async function sellAtTill(simulation: Simulation, shop: SimulatedShop): Promise<void> {
  for (let attempt = 0; attempt < BASKETS_TRIED; attempt += 1) {
    if (await sellBasket(simulation, shop)) return;
  }
  simulation.platform.log.warn('the demo simulator could not sell at the till');
}

async function sellBasket({ app, random }: Simulation, shop: SimulatedShop): Promise<boolean> {
  const shelf = oneOf(shop.trader.shelves, random);
  const buyer = random.chance(0.35) ? oneOf(shop.buyers, random) : undefined;
  const { token } = shop.organization.member;
  const lines = fillBasket(shop.trader.kind, shelf, shop.trader.popularity, random);
  const sale = {
    branch_iv_id: shelf.ivId,
    lines: lines.map(({ item, quantity }) => ({ sku_iv_id: item.sku_iv_id, quantity })),
    payment_method: oneOf(TILL_METHODS, random),
    ...(buyer && { customer: { name: buyer.name, phone: writtenPhone(buyer, 'till') } }),
  };
  const sell = () => callService(app, { method: 'POST', path: '/till/orders', token, body: sale });
  const { status, body } = await sell();
  if (status !== 409) return issueInvoice(app, token, status, body);
  for (const ivId of Object.keys((body.details ?? {}) as object)) {
    const stock = { current_qty: RESTOCKED_QTY };
    await callService(app, { method: 'PATCH', path: `/skus/${encodeURIComponent(ivId)}`, token, body: stock });
  }
  const again = await sell();
  return issueInvoice(app, token, again.status, again.body);
}

/** As the till does after each sale. False when nothing was sold. */
async function issueInvoice(app: Simulation['app'], token: string, status: number, body: Record<string, unknown>) {
  if (status !== 201) return false;
  const { id } = body.data as { id: string };
  await callService(app, { method: 'POST', path: `/orders/${id}/invoice`, token, body: {} });
  return true;
}
