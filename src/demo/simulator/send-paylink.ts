import { oneOf } from '../buyers.ts';
import { callService, type ServiceCall } from './call-service.ts';
import type { SimulatedShop } from './open-shop.ts';
import type { Simulation } from './simulation.ts';

const PROVIDERS = { 'tabby-pos-paylinks': 'tabby', 'tamara-pos-paylinks': 'tamara' } as const;
const API = '/api/v1';
const AMOUNTS = [84.5, 129, 176.25, 240, 318.75, 465] as const;
const seconds = (min: number, max: number, { next }: { next(): number }) => (min + (max - min) * next()) * 1000;

/**
 * A payment link by the service's own route: for an order that awaits its payment and has none, or for an amount by itself, as for a payment
 * agreed by telephone. Its customer usually agrees within minutes and the shop then captures it; some links are cancelled, some expire.
 */
export async function sendPaylink(simulation: Simulation, shop: SimulatedShop): Promise<void> {
  const { random, platform } = simulation;
  const installed = Object.entries(PROVIDERS).filter(([slug]) => shop.installs.has(slug));
  if (installed.length === 0) return;
  const [, provider] = oneOf(installed, random);
  const path = `/providers/${provider}/paylinks`;
  const order = await findPayable(simulation, shop, path);
  const subject = order === undefined ? { amount: oneOf(AMOUNTS, random), currency: 'SAR' } : { order_id: order };
  const created = await ask(simulation, shop, { method: 'POST', path, body: subject });
  const { id, url } = (created?.data ?? {}) as { id?: string; url?: string };
  if (id === undefined || url === undefined) return;
  const at = (afterMs: number) => new Date(platform.clock.now().getTime() + afterMs);
  const fate = random.next();
  if (fate < 0.15) return;
  if (fate < 0.25) {
    simulation.plan({
      at: at(seconds(120, 400, random)),
      run: async () => void (await ask(simulation, shop, { method: 'POST', path: `${path}/${id}/cancel`, body: {} })),
    });
    return;
  }
  const agreesAfterMs = seconds(60, 360, random);
  const page = url.slice(url.indexOf(API) + API.length);
  simulation.plan({
    at: at(agreesAfterMs),
    run: async () => void (await ask(simulation, shop, { method: 'POST', path: page })),
  });
  simulation.plan({
    at: at(agreesAfterMs + seconds(60, 300, random)),
    run: async () => {
      const captured = await ask(simulation, shop, { method: 'POST', path: `${path}/${id}/capture`, body: {} });
      // Its channel has reported the order as paid meanwhile.
      if (captured === undefined)
        await ask(simulation, shop, { method: 'POST', path: `${path}/${id}/cancel`, body: {} });
    },
  });
}

/** The newest order that awaits its payment, unless it has a link. */
async function findPayable(simulation: Simulation, shop: SimulatedShop, links: string): Promise<string | undefined> {
  const path = '/orders?status=RECEIVED&payment_status=pending&limit=1';
  const waiting = await ask(simulation, shop, { method: 'GET', path });
  const [newest] = (waiting?.orders ?? []) as { order: { id: string } }[];
  if (newest === undefined) return undefined;
  const { id } = newest.order;
  const known = await ask(simulation, shop, { method: 'GET', path: `${links}?order_id=${id}&limit=1` });
  return known?.total_count === 0 ? id : undefined;
}

async function ask(
  { app, platform }: Simulation,
  { organization }: SimulatedShop,
  call: Omit<ServiceCall, 'token'>,
): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await callService(app, { ...call, token: organization.member.token });
  if (status < 300) return body;
  platform.log.info({ status, path: call.path }, 'a payment of the demo was refused');
  return undefined;
}
