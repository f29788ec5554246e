import { testOrganization } from '../test/harness/accounts.ts';
import { defineBench } from './frame/define-bench.ts';
import { runLoop } from './frame/run-loop.ts';
import type { RequestMaker } from './load/plan.ts';
import { insertPlainly } from './orders/baseline-inserts.ts';
import { measureFeedLag } from './orders/feed-lag.ts';
import { fillOrders, newOrderBody, withoutIndexes } from './orders/fill.ts';

const SMALL_HISTORY = 10_000;
const LARGE_HISTORY = Number(process.env.BENCH_LARGE_HISTORY ?? 1_000_000);

/** Orders in and out: writes against the driver, reads against a bare route, a long history against a short one. */
export default defineBench('orders', {
  rounds: 5,
  seconds: 2,
  async setup(frame) {
    const service = await frame.startService();
    const { sql } = service;
    const [writer, plain, small, large] = [
      await testOrganization(sql),
      await testOrganization(sql),
      await testOrganization(sql),
      await testOrganization(sql),
    ];
    await withoutIndexes(sql, async () => {
      await fillOrders(sql, small.id, SMALL_HISTORY);
      await fillOrders(sql, large.id, LARGE_HISTORY);
    });
    const [one] = await sql<{ id: string }[]>`select id from orders where organization_id = ${small.id} limit 1`;
    const bare = await frame.startBaseline('bare-orders.ts', {
      DATABASE: JSON.stringify(service.address),
      ORGANIZATION: small.id,
    });
    const get = (path: string, shop: { owner: { token: string } }) => ({
      baseUrl: service.baseUrl,
      request: { path: `/api/v1${path}`, headers: { Authorization: `Bearer ${shop.owner.token}` } },
    });
    return { frame, service, writer, plain, small, large, bare, get, orderId: one?.id ?? '' };
  },
  cases: [
    {
      name: 'driver: order + event',
      run: ({ service, plain }, { seconds }) =>
        runLoop({ width: 64, seconds }, () => insertPlainly(service.sql, plain.id, 1)),
    },
    {
      name: 'POST /orders',
      baseline: 'driver: order + event',
      target: 0.8,
      limits: { p99OverP50: 5 },
      load: ({ service, writer }) => ({
        baseUrl: service.baseUrl,
        connections: 64,
        expect: [201],
        module: import.meta.url,
        maker: 'newOrders',
        params: { token: writer.owner.token },
      }),
    },
    {
      name: 'driver: 100 orders + events',
      unitsEach: 100,
      run: ({ service, plain }, { seconds }) =>
        runLoop({ width: 4, seconds }, () => insertPlainly(service.sql, plain.id, 100)),
    },
    {
      name: 'POST /orders/bulk, 100 each',
      baseline: 'driver: 100 orders + events',
      target: 0.5,
      unitsEach: 100,
      load: ({ service, writer }) => ({
        baseUrl: service.baseUrl,
        connections: 4,
        module: import.meta.url,
        maker: 'hundredOrders',
        params: { token: writer.owner.token },
      }),
    },
    { name: 'GET /ping', load: ({ service }) => ({ baseUrl: service.baseUrl, request: { path: '/api/v1/ping' } }) },
    {
      name: 'GET /orders/{id}',
      baseline: 'GET /ping',
      target: 0.3,
      load: ({ get, small, orderId }) => get(`/orders/${orderId}`, small),
    },
    { name: 'bare route, 50 rows', load: ({ bare }) => ({ baseUrl: bare.baseUrl, request: { path: '/orders' } }) },
    {
      name: 'GET /orders, 50 rows',
      baseline: 'bare route, 50 rows',
      target: 1.5,
      load: ({ get, small }) => get('/orders', small),
    },
    {
      name: 'GET /orders canonical, 50 rows',
      baseline: 'bare route, 50 rows',
      target: 1.5,
      load: ({ get, small }) => get('/orders?format=canonical', small),
    },
    {
      name: 'GET /orders at a long history',
      baseline: 'GET /orders, 50 rows',
      target: 0.8,
      load: ({ get, large }) => get('/orders', large),
    },
    { name: 'GET /orders?status', load: ({ get, small }) => get('/orders?status=RECEIVED', small) },
    {
      name: 'GET /orders?status at a long history',
      baseline: 'GET /orders?status',
      target: 0.8,
      load: ({ get, large }) => get('/orders?status=RECEIVED', large),
    },
    {
      name: 'GET /orders?search at a long history',
      load: ({ get, large }) => get('/orders?search=fill-00077777', large),
    },
    {
      name: 'feed lag at 500 orders/s',
      limits: { p99Ms: 100 },
      run: ({ frame, service, writer }, { seconds }) =>
        measureFeedLag(service.baseUrl, writer.owner.token, () =>
          frame.load(
            {
              baseUrl: service.baseUrl,
              connections: 32,
              arrivalsPerSecond: 500,
              expect: [201],
              module: import.meta.url,
              maker: 'newOrders',
              params: { token: writer.owner.token },
            },
            seconds,
          ),
        ),
    },
  ],
});

type Params = { token: string };
const headers = ({ token }: Params) => ({ Authorization: `Bearer ${token}` });

export const newOrders: RequestMaker<Params> = (params) => () => ({
  method: 'POST',
  path: '/api/v1/orders',
  headers: headers(params),
  body: newOrderBody(),
});

export const hundredOrders: RequestMaker<Params> = (params) => () => ({
  method: 'POST',
  path: '/api/v1/orders/bulk',
  headers: headers(params),
  body: { mode: 'create', orders: Array.from({ length: 100 }, newOrderBody) },
});
