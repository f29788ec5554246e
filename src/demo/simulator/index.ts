import { createSteadyLoop } from '../../platform/background/index.ts';
import { collectGarbage } from '../../platform/collect-garbage.ts';
import type { App } from '../../platform/http/app.ts';
import { newId } from '../../platform/ids.ts';
import { type LeaseHolder, releaseLease, renewLease } from '../../platform/installation/index.ts';
import type { DemoLogins } from '../logins.ts';
import { seededRandom } from '../random.ts';
import { fillGap, LONGEST_PAUSE_MS } from './fill-gap.ts';
import { findOpenOrders } from './find-open-orders.ts';
import { openShop, type SimulatedShop } from './open-shop.ts';
import { nextIntervalMs } from './pace.ts';
import { placeNext } from './place-next.ts';
import type { PlannedStep, Simulation } from './simulation.ts';

const LOOK_EVERY_MS = 1_000;
/**
 * Longer than the longest time between two orders, so that one process keeps it; short enough that after a crash orders come again
 * within two minutes.
 */
const LEASE_SECONDS = 75;
const LEASE_LOOK_MS = 15_000;
const FIRST_ORDER_MS = 5_000;
/** The second shop gets one order for so many of the first. */
const ORDERS_PER_SECOND_SHOP = 7;

/**
 * Keeps the demo alive: orders come in through the ingest of the demo's channels and the till, and move along their statuses. One process
 * at a time does it. The state is in the orders themselves: after a restart the open ones continue.
 */
export function createSimulator(
  app: App,
  platform: Simulation['platform'],
  { logins, seed }: { logins: DemoLogins; seed: number },
) {
  const { sql, clock, log } = platform;
  const lease: LeaseHolder = { name: 'demo_simulator', holder: newId() };
  const random = seededRandom(clock.now().getTime() % 2 ** 31);
  let planned: PlannedStep[] = [];
  const simulation: Simulation = {
    app,
    platform,
    random,
    plan(step) {
      planned.push(step);
    },
  };
  let shops: SimulatedShop[] | undefined;
  let orders = 0;
  let nextOrderMs = clock.now().getTime() + FIRST_ORDER_MS;
  let nextLookMs = 0;
  let lastStepMs = clock.now().getTime();

  async function step(): Promise<boolean> {
    const nowMs = clock.now().getTime();
    // A computer that slept: the time is filled in as after a start.
    if (nowMs - lastStepMs > LONGEST_PAUSE_MS) {
      shops = undefined;
      planned = [];
    }
    lastStepMs = nowMs;
    if (nowMs < nextLookMs) return false;
    const due = planned.filter(({ at }) => at.getTime() <= nowMs);
    if (nowMs < nextOrderMs && due.length === 0) return false;
    if (!(await renewLease(sql, lease, LEASE_SECONDS))) {
      nextLookMs = nowMs + LEASE_LOOK_MS;
      shops = undefined;
      planned = [];
      return false;
    }
    shops ??= await open();
    planned = planned.filter((one) => !due.includes(one));
    if (nowMs >= nextOrderMs) {
      // Before the call: an order that fails is not tried again at once.
      nextOrderMs = nowMs + nextIntervalMs(clock.now(), random);
      orders += 1;
      const [first, second] = shops;
      if (first !== undefined) await placeNext(simulation, first, orders);
      if (second !== undefined && orders % ORDERS_PER_SECOND_SHOP === 0) {
        await placeNext(simulation, second, orders / ORDERS_PER_SECOND_SHOP);
      }
    }
    for (const { run } of due) {
      await run().catch((error: unknown) => log.warn({ err: error }, 'a step of the demo simulator failed'));
    }
    return false;
  }

  async function open(): Promise<SimulatedShop[]> {
    const opened: SimulatedShop[] = [];
    for (const [index, organization] of logins.organizations.entries()) {
      const shop = await openShop(platform, organization, index, seed);
      if (shop === undefined) continue;
      opened.push(shop);
      await fillGap(simulation, shop, seed);
      await findOpenOrders(simulation, shop);
    }
    // The lists of products and orders leave 50 MB of garbage, which an idle process keeps.
    await collectGarbage();
    return opened;
  }

  const loop = createSteadyLoop({ name: 'demo simulator', log, everyMs: LOOK_EVERY_MS, step });
  return {
    step,
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await releaseLease(sql, lease).catch(() => undefined);
    },
  };
}
