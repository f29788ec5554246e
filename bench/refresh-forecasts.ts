import { setTimeout as delay } from 'node:timers/promises';
import { testOrganization } from '../test/harness/accounts.ts';
import { call } from '../test/harness/client.ts';
import { fillDemand } from './analytics/fill-demand.ts';
import { defineBench } from './frame/define-bench.ts';
import { runLoop } from './frame/run-loop.ts';

const SKUS = Number(process.env.BENCH_SKUS ?? 10_000);
const DAYS = 365;
const UPLOADED_ROWS = 200_000;
const LOOK_EVERY_MS = 20;

/**
 * Forecasts of a large tenant made anew by the job, all of them, from a year of sales; and what another tenant's reads feel
 * of it, at a steady rate that leaves the machine idle time.
 */
export default defineBench('refresh-forecasts', {
  rounds: 3,
  seconds: 4,
  async setup(frame) {
    const { sql, baseUrl } = await frame.startService();
    const large = await testOrganization(sql);
    const neighbour = await testOrganization(sql);
    await fillDemand(sql, large.id, { skus: SKUS, days: DAYS });
    const ask = (target: string, options: object = {}) =>
      call(baseUrl, target, { token: large.owner.token, ...options });
    let leadTimeDays = 7;
    const refresh = async () => {
      leadTimeDays = leadTimeDays === 7 ? 8 : 7;
      await ask('PATCH /analytics/sensy/settings', { body: { lead_time_days: leadTimeDays } });
      for (;;) {
        const { stale, total_count } = (await ask('GET /analytics/sensy?limit=1')).body;
        if (!stale && total_count === SKUS) return;
        await delay(LOOK_EVERY_MS * 10);
      }
    };
    const upload = async () => {
      const rows = Array.from({ length: UPLOADED_ROWS }, (_, row) => {
        const date = new Date(Date.now() - (2 + Math.floor(row / SKUS)) * 86_400_000).toISOString().slice(0, 10);
        return `S${String(row % SKUS).padStart(6, '0')}_B,${date},${row % 7}`;
      });
      const raw = `sku_id,sale_date,qty\n${rows.join('\n')}\n`;
      const headers = { 'content-type': 'text/csv' };
      const { body } = await ask('POST /analytics/sensy/upload', { raw, headers });
      for (;;) {
        const { status, progress } = (await ask(`GET /jobs/${body.data.job_id}`)).body;
        if (status === 'failed') throw new Error('the upload failed');
        if (status === 'succeeded' || progress.done >= UPLOADED_ROWS) return;
        await delay(LOOK_EVERY_MS);
      }
    };
    const read = {
      baseUrl,
      connections: 8,
      arrivalsPerSecond: 200,
      request: { path: '/api/v1/branches', headers: { Authorization: `Bearer ${neighbour.owner.token}` } },
    };
    return { frame, refresh, upload, read };
  },
  cases: [
    {
      name: `${SKUS} SKUs refreshed`,
      unitsEach: SKUS,
      limits: { p99Ms: 30_000 },
      run: ({ refresh }) => runLoop({ width: 1, seconds: 0 }, refresh),
    },
    {
      name: `an upload of ${UPLOADED_ROWS} rows, read and checked`,
      unitsEach: UPLOADED_ROWS,
      run: ({ upload }) => runLoop({ width: 1, seconds: 0 }, upload),
    },
    { name: "a neighbour's GET /branches", load: ({ read }) => read },
    {
      name: '... while SKUs are refreshed',
      baseline: "a neighbour's GET /branches",
      target: 0.95,
      limits: { p99OverBaseline: 5 },
      async run({ frame, refresh, read }, { seconds }) {
        const refreshed = refresh();
        const sample = await frame.load(read, seconds);
        await refreshed;
        return sample;
      },
    },
  ],
});
