import type { OrderStage, PastOrder } from '../../modules/orders/index.ts';
import { WRITERS } from '../vendor-payloads.ts';
import { callService } from './call-service.ts';
import type { SimulatedShop } from './open-shop.ts';
import type { Simulation } from './simulation.ts';
import { vendorRequest } from './vendor-request.ts';

export type Sale = { order: PastOrder['order']; placedAt: Date };

/** Reports a status of an order at a time to come. */
export function planReport(
  simulation: Simulation,
  shop: SimulatedShop,
  slug: string,
  sale: Sale,
  statuses: Omit<OrderStage, 'at'>,
  at: Date,
): void {
  const { clock } = simulation.platform;
  simulation.plan({ at, run: () => report(simulation, shop, slug, sale, { at: clock.now(), ...statuses }, false) });
}

/** Sends what the vendor of an order sends at a stage. */
export async function report(
  simulation: Simulation,
  shop: SimulatedShop,
  slug: string,
  sale: Sale,
  stage: OrderStage,
  isFirst: boolean,
): Promise<void> {
  const news = WRITERS[slug]?.(sale, stage, isFirst);
  if (news !== undefined) await sendFromVendor(simulation, shop, slug, JSON.stringify(news.body));
}

export async function sendFromVendor(
  simulation: Simulation,
  shop: SimulatedShop,
  slug: string,
  body: string,
): Promise<void> {
  const install = shop.installs.get(slug);
  if (install === undefined) return;
  const { path, headers } = vendorRequest(install, body);
  const { status } = await callService(simulation.app, { method: 'POST', path, headers, body });
  if (status >= 300) simulation.platform.log.warn({ status, slug }, 'the demo simulator was refused by the ingest');
}
