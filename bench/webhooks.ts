import { defineBench } from './frame/define-bench.ts';
import { claimInTurn, openPending } from './webhooks/claims.ts';
import { holdBacklog, measureLatency } from './webhooks/latency.ts';
import { calmDown, openSetting, setStatus, type Tenant } from './webhooks/setting.ts';
import { deliverBacklog, deliverEvents, postByUndici } from './webhooks/sustained.ts';

const DELIVERIES_PER_SECOND_OF_RUN = 5_000;
/** The 99th percentile of a short run would be a handful of events: one pause of the disk would decide it. */
const LATENCY_SECONDS_PER_SECOND_OF_RUN = 2;
const RECEIVERS = 100;
const BACKLOG = 10_000;

/** Deliveries against bare posting, healthy receivers beside sick ones, a long queue against a short one. */
export default defineBench('webhooks', {
  rounds: 5,
  seconds: 3,
  async setup(frame) {
    const setting = await openSetting(frame);
    const addTenants = async (target: string, count: number) => {
      const tenants: Tenant[] = [];
      for (let index = 0; index < count; index += 1) tenants.push(await setting.addTenant(target));
      return tenants;
    };
    return {
      frame,
      setting,
      busy: await addTenants('/fast', 8),
      single: await addTenants('/timed', 1),
      healthy: await addTenants('/timed', RECEIVERS - RECEIVERS / 100),
      tarpits: await addTenants('/tarpit', RECEIVERS / 100),
      backlogged: await setting.addTenant('/slow'),
      short: await openPending(frame, setting.service, 1_000),
      long: await openPending(frame, setting.service, 100_000),
    };
  },
  cases: [
    { name: 'undici, bodies signed beforehand', run: ({ setting }, { seconds }) => postByUndici(setting, seconds) },
    {
      name: 'deliveries that wait, to the last commit',
      baseline: 'undici, bodies signed beforehand',
      target: 0.6,
      run: ({ setting, busy }, { seconds }) => deliverBacklog(setting, busy, seconds * DELIVERIES_PER_SECOND_OF_RUN),
    },
    {
      name: 'from the outbox, to the last commit',
      baseline: 'undici, bodies signed beforehand',
      run: ({ setting, busy }, { seconds }) => deliverEvents(setting, busy, seconds * DELIVERIES_PER_SECOND_OF_RUN),
    },
    {
      name: 'order to receiver, 200/s, one subscription',
      prepare: ({ setting }) => calmDown(setting.service.sql),
      run: ({ frame, setting, single }, { seconds }) =>
        measureLatency(frame, setting, { healthy: single }, seconds * LATENCY_SECONDS_PER_SECOND_OF_RUN),
    },
    {
      name: 'the same beside 1 % tarpits and a backlog',
      baseline: 'order to receiver, 200/s, one subscription',
      limits: { p99OverBaseline: 2 },
      async prepare({ setting, backlogged, tarpits }) {
        await holdBacklog(setting, backlogged, BACKLOG);
        await calmDown(setting.service.sql);
        await setStatus(setting.service.sql, [backlogged, ...tarpits], 'active');
      },
      async run({ frame, setting, healthy, tarpits, backlogged }, { seconds }) {
        const latencySeconds = seconds * LATENCY_SECONDS_PER_SECOND_OF_RUN;
        const sample = await measureLatency(frame, setting, { healthy, others: tarpits }, latencySeconds);
        // Out of the way of the other cases.
        await setStatus(setting.service.sql, [backlogged, ...tarpits], 'paused');
        return sample;
      },
    },
    { name: 'claim 32, 1,000 pending', run: ({ short }, { seconds }) => claimInTurn(short, seconds) },
    {
      name: 'claim 32, 100,000 pending',
      baseline: 'claim 32, 1,000 pending',
      target: 0.8,
      run: ({ long }, { seconds }) => claimInTurn(long, seconds),
    },
  ],
});
