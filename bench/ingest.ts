import { defineBench } from './frame/define-bench.ts';
import type { Frame } from './frame/frame.ts';
import { runLoop } from './frame/run-loop.ts';
import type { BenchService } from './frame/start-service.ts';
import { addPlainTable, CONNECTIONS, emptyTables, insertPlainly } from './ingest/acceptance.ts';
import { drain, insertOrdersOf, ORDERS_EACH, stage } from './ingest/backlog.ts';
import { measureBesideBurst, measureForSeconds } from './ingest/latency.ts';
import type { BenchInstall } from './ingest/payloads.ts';
import { addInstalls, calmDown, chooseNeighbours } from './ingest/setting.ts';
import type { LoadPlan } from './load/plan.ts';

const BACKLOG_PER_SECOND_OF_RUN = 2_000;
const BURST = Number(process.env.BENCH_BURST ?? 5_000);
/** Of fifty a second, a 99th percentile of fewer would be the slowest one. */
const LATENCY_SECONDS_PER_SECOND_OF_RUN = 3;
const AT_MOST_TIMES_QUIET = 5;

type Context = {
  /** Only takes in, so that reading is not measured with it. */
  api: BenchService;
  apiInstalls: BenchInstall[];
  /** As `npm start` runs it. */
  whole: BenchService;
  installs: BenchInstall[];
  neighbours: ReturnType<typeof chooseNeighbours>;
  sendBurst: Awaited<ReturnType<Frame['startHelper']>>;
};

const backlogFor = (seconds: number) => Math.round(seconds * BACKLOG_PER_SECOND_OF_RUN);

/** What vendors send: taken in against plain inserts, made into orders against the barest SQL, one install beside another's burst. */
export default defineBench<Context>('ingest', {
  rounds: 5,
  seconds: 2,
  async setup(frame) {
    const api = await frame.startService({ env: { DUKKAN_ROLES: 'api' } });
    const whole = await frame.startService();
    await addPlainTable(api.sql);
    const installs = await addInstalls(whole);
    return {
      api,
      whole,
      apiInstalls: await addInstalls(api),
      installs,
      neighbours: chooseNeighbours(installs),
      sendBurst: await frame.startHelper(new URL('./ingest/send-burst.ts', import.meta.url)),
    };
  },
  cases: [
    {
      name: 'driver: one insert a call',
      prepare: ({ api }) => emptyTables(api.sql),
      run: ({ api, apiInstalls }, { seconds }) => insertPlainly(api.sql, apiInstalls, seconds),
    },
    {
      name: 'POST /ingest, 3 kB, signed',
      baseline: 'driver: one insert a call',
      target: 0.6,
      prepare: ({ api }) => emptyTables(api.sql),
      load: ({ api, apiInstalls }) => planOf(api.baseUrl, apiInstalls),
    },
    {
      name: 'the same while they are read',
      baseline: 'driver: one insert a call',
      load: ({ whole, installs }) => planOf(whole.baseUrl, installs),
    },
    {
      name: 'driver: 64 orders + events',
      unitsEach: ORDERS_EACH,
      prepare: ({ whole }) => calmDown(whole.sql),
      run: ({ whole, installs }, { seconds }) =>
        runLoop({ width: 4, seconds }, (index) =>
          insertOrdersOf(whole.sql, installs[index % installs.length] as BenchInstall),
        ),
    },
    {
      name: 'staged payloads to orders',
      baseline: 'driver: 64 orders + events',
      target: 0.3,
      async prepare({ whole, installs }, { seconds }) {
        await stage(whole.sql, installs, backlogFor(seconds));
        await calmDown(whole.sql);
      },
      run: ({ whole }, { seconds }) => drain(whole, backlogFor(seconds)),
    },
    {
      name: 'accepted to visible, 50/s',
      prepare: ({ whole }) => calmDown(whole.sql),
      run: ({ whole, installs }, { seconds }) =>
        measureForSeconds(whole, installs, seconds * LATENCY_SECONDS_PER_SECOND_OF_RUN),
    },
    ...(['sameTenant', 'otherTenant'] as const).map((neighbour) => ({
      name: `the same beside a burst of ${BURST.toLocaleString('en-US')}, ${neighbour === 'sameTenant' ? 'same' : 'another'} tenant`,
      baseline: 'accepted to visible, 50/s',
      limits: { p99OverBaseline: AT_MOST_TIMES_QUIET },
      run: ({ whole, neighbours, sendBurst }: Context) =>
        measureBesideBurst(whole, sendBurst, { loud: neighbours.loud, quiet: neighbours[neighbour], count: BURST }),
    })),
  ],
});

function planOf(baseUrl: string, installs: BenchInstall[]): LoadPlan {
  return {
    baseUrl,
    connections: CONNECTIONS,
    expect: [202],
    module: new URL('./ingest/acceptance.ts', import.meta.url).href,
    maker: 'signedCalls',
    params: { installs },
  };
}
