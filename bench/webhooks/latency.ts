import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from '../frame/frame.ts';
import type { RequestMaker, Sample } from '../load/plan.ts';
import { leaveEvents, type Tenant, type WebhookSetting } from './setting.ts';

const LAST_ARRIVALS_WITHIN_MS = 10_000;
const WARM_UP_SECONDS = 2;

/**
 * Orders at a steady pace over HTTP; the receiver measures from the time inside each event, taken just before its order is
 * written, to its arrival. So the commit itself is in the figure.
 */
export async function measureLatency(
  frame: Frame,
  setting: WebhookSetting,
  tenants: { healthy: Tenant[]; others?: Tenant[] },
  seconds: number,
): Promise<Sample> {
  const all = [...tenants.healthy, ...(tenants.others ?? [])];
  const placeOrders = (forSeconds: number) =>
    frame.load(
      {
        baseUrl: setting.service.baseUrl,
        connections: 16,
        arrivalsPerSecond: 200,
        expect: [201],
        module: import.meta.url,
        maker: 'ordersOfTenants',
        params: { tokens: all.map((tenant) => tenant.token) },
      },
      forSeconds,
    );
  // A hundred receivers are a hundred handshakes, half a second of both cores: they belong to the start, not to the pace.
  await placeOrders(WARM_UP_SECONDS);
  await setting.takeFigures();
  const sent = await placeOrders(seconds);
  const expected = Math.floor(sent.count / all.length) * tenants.healthy.length;
  const deadlineMs = performance.now() + LAST_ARRIVALS_WITHIN_MS;
  let figures = await setting.readFigures();
  while (figures.timed < expected && performance.now() < deadlineMs) {
    await delay(20);
    figures = await setting.readFigures();
  }
  return {
    count: figures.timed,
    perSecond: figures.timed / seconds,
    p50Ms: figures.p50Ms,
    p99Ms: figures.p99Ms,
    failed: sent.failed + Math.max(0, expected - figures.timed),
    ...(sent.firstFailure === undefined ? {} : { firstFailure: sent.firstFailure }),
  };
}

export const ordersOfTenants: RequestMaker<{ tokens: string[] }> = ({ tokens }) => {
  let made = 0;
  return () => {
    made += 1;
    return {
      path: '/api/v1/orders',
      headers: { Authorization: `Bearer ${tokens[made % tokens.length]}` },
      body: {
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        customer_name: 'نورة العتيبي',
        skus: ['P-1_RUH'],
        products: [{ product_id: 'P-1', sku_id: 'P-1_RUH', name: 'باراسيتامول', quantity: 2, price: 12.5 }],
        total_amount: 25,
      },
    };
  };
};

/** So many deliveries waiting for one receiver, however many it has worked off since the last time. */
export async function holdBacklog(setting: WebhookSetting, tenant: Tenant, size: number): Promise<void> {
  const { sql } = setting.service;
  const waiting = async () => {
    const [row] = await sql<[{ waiting: number }]>`
      select count(*) as waiting from webhook_queued_deliveries where subscription_id = ${tenant.subscriptionId}`;
    return row.waiting;
  };
  const missing = size - (await waiting());
  if (missing <= 0) return;
  await leaveEvents(sql, [tenant], missing);
  while ((await waiting()) < size - size / 20) await delay(50);
}
