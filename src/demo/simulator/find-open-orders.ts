import type { PastOrder } from '../../modules/orders/index.ts';
import { CHANNELS } from '../channels.ts';
import { WRITERS } from '../vendor-payloads.ts';
import { callService } from './call-service.ts';
import type { SimulatedShop } from './open-shop.ts';
import { stepsAfter } from './pace.ts';
import { planReport } from './report-status.ts';
import type { Simulation } from './simulation.ts';

/** Statuses with what comes next, by the stored spelling. */
const DONE_STEPS: Readonly<Record<string, number>> = { RECEIVED: 0, READY_FOR_PICKUP: 1, DISPATCHED: 2 };
/** Orders of an earlier run continue within minutes, those of the load one by one: a parcel takes days. */
const YOUNG_MS = 6 * 3_600_000;
const BETWEEN_OLD_MS = 6 * 60_000;
const PER_STATUS = 100;

type ListedOrder = PastOrder['order'] & { order_status: string; payment_status: string; created_at: string };
type Listed = { organization_app_id: string; order: ListedOrder };

/** Plans how the open orders of a shop go on. */
export async function findOpenOrders(simulation: Simulation, shop: SimulatedShop): Promise<void> {
  const { app, random, platform } = simulation;
  const { token } = shop.organization.member;
  const slugs = new Map([...shop.installs.values()].map(({ id, app_slug }) => [id, app_slug]));
  const nowMs = platform.clock.now().getTime();
  let old = 0;
  for (const [status, done] of Object.entries(DONE_STEPS)) {
    const path = `/orders?status=${status}&limit=${PER_STATUS}`;
    const { body } = await callService(app, { method: 'GET', path, token });
    for (const { organization_app_id, order } of (body.orders ?? []) as Listed[]) {
      const slug = slugs.get(organization_app_id) ?? '';
      const channel = CHANNELS.find((one) => one.slug === slug);
      if (channel === undefined || WRITERS[slug] === undefined) continue;
      const placedAt = new Date(order.created_at);
      const isYoung = nowMs - placedAt.getTime() < YOUNG_MS;
      if (!isYoung) old += 1;
      let atMs = nowMs + (isYoung ? 0 : old * BETWEEN_OLD_MS);
      const steps = stepsAfter(channel.family, false, order.payment_status === 'paid', random);
      for (const { afterMs, ...statuses } of channel.family === 'pos' ? steps : steps.slice(done)) {
        atMs += isYoung ? afterMs : afterMs + BETWEEN_OLD_MS;
        planReport(simulation, shop, slug, { order, placedAt }, statuses, new Date(atMs));
      }
    }
  }
}
