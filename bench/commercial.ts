import { commercialAccount, testOrganization } from '../test/harness/accounts.ts';
import { fillFleet, LEDGER_ROWS, ORGANIZATIONS } from './commercial/fill-fleet.ts';
import { defineBench } from './frame/define-bench.ts';
import { runLoop } from './frame/run-loop.ts';
import type { BenchService } from './frame/start-service.ts';
import type { LoadPlan } from './load/plan.ts';

type Context = {
  service: BenchService;
  shop: { id: string; owner: { token: string } };
  operator: { token: string };
  get(path: string, token: string): LoadPlan;
};

const ONE_ROW = 'GET /branches/{ivId}, one row';
const LEDGER = `${(LEDGER_ROWS / 1_000_000).toFixed(0)} million entries`;

/** What the operator sees of everybody, against one row of one shop: one caller, so that the time of an answer is its cost. */
export default defineBench<Context>('commercial', {
  rounds: 7,
  seconds: 1.5,
  async setup(frame) {
    const service = await frame.startService();
    const { sql, baseUrl } = service;
    await fillFleet(sql, new Date());
    const shop = await testOrganization(sql);
    const operator = await commercialAccount(sql);
    const made = await fetch(`${baseUrl}/api/v1/branches`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ iv_id: 'RUH-1', name_en: 'Olaya', name_ar: 'العليا' }),
    });
    if (made.status !== 201) throw new Error(`POST /branches: ${made.status} ${await made.text()}`);
    const get = (path: string, token: string) => ({
      baseUrl,
      connections: 1,
      request: { path: `/api/v1${path}`, headers: { Authorization: `Bearer ${token}` } },
    });
    return { service, shop, operator, get };
  },
  cases: [
    {
      name: 'driver: one row',
      run: ({ service, shop }, { seconds }) =>
        runLoop({ width: 1, seconds }, async () => {
          await service.sql`select * from branches where organization_id = ${shop.id} and iv_id = 'RUH-1'`;
        }),
    },
    {
      name: `driver: ${ORGANIZATIONS} names`,
      run: ({ service }, { seconds }) =>
        runLoop({ width: 1, seconds }, async () => {
          await service.sql`select id, name_en, name_ar from organizations where created <= ${new Date()}`;
        }),
    },
    { name: ONE_ROW, baseline: 'driver: one row', load: ({ get, shop }) => get('/branches/RUH-1', shop.owner.token) },
    {
      name: `GET /commercial/accounting-overview, ${LEDGER}`,
      baseline: ONE_ROW,
      target: 0.6,
      load: ({ get, operator }) => get('/commercial/accounting-overview', operator.token),
    },
    {
      name: `GET /commercial/fleet-metrics, ${ORGANIZATIONS} organizations`,
      baseline: ONE_ROW,
      target: 0.6,
      load: ({ get, operator }) => get('/commercial/fleet-metrics', operator.token),
    },
    {
      name: 'the same, against the names alone',
      baseline: `driver: ${ORGANIZATIONS} names`,
      load: ({ get, operator }) => get('/commercial/fleet-metrics', operator.token),
    },
    {
      name: 'GET /commercial/recent-payments, page 1',
      baseline: ONE_ROW,
      target: 0.1,
      load: ({ get, operator }) => get('/commercial/recent-payments', operator.token),
    },
  ],
});
