import { setTimeout as delay } from 'node:timers/promises';
import { testAccount, testOrganization } from '../test/harness/accounts.ts';
import { call } from '../test/harness/client.ts';
import { HOSTILITIES } from '../test/vendors/hostile.ts';
import { type Case, defineBench } from './frame/define-bench.ts';
import type { Frame } from './frame/frame.ts';
import type { BenchService } from './frame/start-service.ts';
import { measureForSeconds } from './ingest/latency.ts';
import type { BenchInstall } from './ingest/payloads.ts';
import type { LoadPlan, Sample } from './load/plan.ts';
import {
  addShop,
  type HostileVendors,
  measureBesideVendors,
  openHostileVendors,
} from './noisy-neighbour/hostile-vendors.ts';
import { MANY_STREAMS, STREAMS_SETTLED_MS } from './noisy-neighbour/many-streams.ts';
import { NOISES, type Noise, type NoiseOrder, type NoiseReport } from './noisy-neighbour/noise.ts';
import { fillOrders, withoutIndexes } from './orders/fill.ts';

const QUIET_HISTORY = 10_000;
const LOUD_HISTORY = Number(process.env.BENCH_LOUD_HISTORY ?? 170_000);
const LOUD_PRODUCTS = 2_000;
const PACE_PER_SECOND = 50;
const LOUD_FIRST_MS = 1_000;
const AT_MOST_TIMES_QUIET = 5;
const STREAMS_AT_MOST_TIMES_QUIET = 3;

type Context = {
  frame: Frame;
  service: BenchService;
  baseUrl: string;
  quiet: { token: string };
  shop: BenchInstall;
  vendors: HostileVendors;
  loud: { token: string; branchId: string };
  send(order: NoiseOrder): Promise<NoiseReport | undefined>;
};
type Ask = 'GET /orders?limit=20' | 'POST /orders';
const INGEST = "a vendor's call to its order";
const ASKS: Ask[] = ['GET /orders?limit=20', 'POST /orders'];

/** What one tenant's day is like while another does its worst: its p99 against its own on a quiet day. */
export default defineBench<Context>('noisy-neighbour', {
  rounds: 3,
  seconds: 4,
  async setup(frame) {
    // The loud tenant must be held back as a tenant, not as an address: here it shares one with the quiet one.
    const vendors = await openHostileVendors(frame);
    const service = await frame.startService({
      env: { ...vendors.settings, MAX_CONNECTIONS_PER_ADDRESS: '100000', LOGIN_RATE_LIMIT_PER_MINUTE: '0' },
    });
    const { sql, baseUrl } = service;
    const [quiet, loud] = [await testOrganization(sql), await testOrganization(sql)];
    await withoutIndexes(sql, async () => {
      await fillOrders(sql, quiet.id, QUIET_HISTORY);
      await fillOrders(sql, loud.id, LOUD_HISTORY);
    });
    const { token } = loud.owner;
    const products = Array.from({ length: 1_000 }, (_, number) => ({
      iv_id: `P-${number}`,
      name_en: `Product ${number}`,
    }));
    for (let made = 0; made < LOUD_PRODUCTS; made += 1_000) {
      const named = products.map((product) => ({ ...product, iv_id: `${product.iv_id}-${made}` }));
      await call(baseUrl, 'POST /products/bulk', { token, body: { mode: 'create', products: named } });
    }
    const branch = await call(baseUrl, 'POST /branches', { token, body: { iv_id: 'RUH', name_en: 'Riyadh' } });
    const owner = await testAccount(sql, loud.id, 'owner');
    const send = await frame.startHelper(new URL('./noisy-neighbour/make-noise.ts', import.meta.url));
    await vendors.addInstalls(service, loud);
    return {
      frame,
      service,
      shop: await addShop(service, quiet),
      vendors,
      baseUrl,
      quiet: quiet.owner,
      loud: { token: owner.token, branchId: branch.body.data.id },
      send: send as Context['send'],
    };
  },
  cases: [
    ...ASKS.flatMap((ask) => [
      alone(ask, (context, seconds) => context.frame.load(planOf(context, ask), seconds)),
      ...NOISES.map((noise) => beside(ask, noise, (context, seconds) => measureBeside(context, ask, noise, seconds))),
      ...HOSTILITIES.map((mode) =>
        beside(ask, `vendors that ${mode}`, (context, seconds) =>
          measureBesideVendors(context, mode, () => context.frame.load(planOf(context, ask), seconds)),
        ),
      ),
    ]),
    alone(INGEST, measureIngest),
    ...HOSTILITIES.map((mode) =>
      beside(INGEST, `vendors that ${mode}`, (context, seconds) =>
        measureBesideVendors(context, mode, () => measureIngest(context, seconds)),
      ),
    ),
  ],
});

type Run = (context: Context, seconds: number) => Promise<Sample>;

function alone(name: string, run: Run): Case<Context> {
  return { name, run: (context, { seconds }) => run(context, seconds) };
}

function beside(baseline: string, noise: string, run: Run): Case<Context> {
  const p99OverBaseline = noise === MANY_STREAMS ? STREAMS_AT_MOST_TIMES_QUIET : AT_MOST_TIMES_QUIET;
  return { ...alone(`${baseline}, beside ${noise}`, run), baseline, limits: { p99OverBaseline } };
}

function measureIngest({ service, shop }: Context, seconds: number): Promise<Sample> {
  return measureForSeconds(service, [shop], seconds);
}

function planOf({ baseUrl, quiet }: Context, ask: Ask): LoadPlan {
  const pace = { baseUrl, connections: 16, arrivalsPerSecond: PACE_PER_SECOND };
  if (ask === 'POST /orders') {
    return {
      ...pace,
      expect: [201],
      module: new URL('./orders.ts', import.meta.url).href,
      maker: 'newOrders',
      params: { token: quiet.token },
    };
  }
  return { ...pace, request: { path: '/api/v1/orders?limit=20', headers: { Authorization: `Bearer ${quiet.token}` } } };
}

async function measureBeside(context: Context, ask: Ask, noise: Noise, seconds: number): Promise<Sample> {
  const { frame, baseUrl, loud, send } = context;
  await send({ baseUrl, ...loud, noise });
  // Until the noise is at its loudest; what is measured is how it is meanwhile, not how it begins.
  await delay(noise === MANY_STREAMS ? STREAMS_SETTLED_MS : LOUD_FIRST_MS);
  const sample = await frame.load(planOf(context, ask), seconds);
  const report = await send('quiet');
  if (process.env.BENCH_SHOW_NOISE) console.error(noise, report?.made);
  return sample;
}
