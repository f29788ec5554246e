import { testOrganization } from '../test/harness/accounts.ts';
import { call } from '../test/harness/client.ts';
import { fillSales } from './analytics/fill.ts';
import { defineBench } from './frame/define-bench.ts';
import { newOrderBody } from './orders/fill.ts';

const HISTORY = Number(process.env.BENCH_LARGE_HISTORY ?? 1_000_000);
const TARGET = 0.6;

/**
 * The dashboard of a tenant with a long history, all nine sections over a year, against the read of one order. Nothing of it
 * changes meanwhile, but for the cases that say so.
 */
export default defineBench('analytics', {
  rounds: 5,
  seconds: 2,
  async setup(frame) {
    const service = await frame.startService();
    const { sql, baseUrl } = service;
    const { id, owner } = await testOrganization(sql);
    await fillSales(sql, id, HISTORY);
    const { token } = owner;
    const place = () => call(baseUrl, 'POST /orders', { token, body: newOrderBody() });
    // Enough for the latest activity, and one to be read.
    let orderId = '';
    for (let placed = 0; placed < 30; placed += 1) orderId = (await place()).body.data?.id ?? '';
    const get = (path: string, connections: number) => ({
      baseUrl,
      connections,
      request: { path: `/api/v1${path}`, headers: { Authorization: `Bearer ${token}` } },
    });
    return { frame, get, place, one: `/orders/${orderId}` };
  },
  cases: [
    { name: 'GET /orders/{id}', load: ({ get, one }) => get(one, 32) },
    {
      name: 'GET /analytics/dashboard, 365 days',
      baseline: 'GET /orders/{id}',
      target: TARGET,
      load: ({ get }) => get(YEAR, 32),
    },
    { name: 'GET /orders/{id}, one caller', load: ({ get, one }) => get(one, 1) },
    {
      name: 'GET /analytics/dashboard, one caller',
      baseline: 'GET /orders/{id}, one caller',
      target: TARGET,
      load: ({ get }) => get(YEAR, 1),
    },
    {
      // For the eye: what it costs to sum all that a new order has changed.
      name: '... an order every tenth of a second',
      baseline: 'GET /orders/{id}, one caller',
      async run({ frame, get, place }, { seconds }) {
        const ordering = setInterval(() => void place(), 100);
        try {
          return await frame.load(get(YEAR, 1), seconds);
        } finally {
          clearInterval(ordering);
        }
      },
    },
  ],
});

const YEAR = '/analytics/dashboard?range=365d';
