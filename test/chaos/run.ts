import process, { argv, exit } from 'node:process';
import { parseArgs } from 'node:util';

/**
 * `npm run chaos [name]`: long runs that break things on purpose. Each prints its counts and says whether they hold. Those
 * that have a small form run in about a minute with `-- --tiny`. `rolling -- --from <folder>` upgrades from a checkout of an earlier release.
 */
type Run = { run(options?: { from?: string }): Promise<boolean>; runTiny?(): Promise<boolean> };
const RUNS: Record<string, () => Promise<Run>> = {
  cluster: () => import('./cluster.ts'),
  'cluster-feed': () => import('./cluster-feed.ts'),
  feed: () => import('./feed.ts'),
  ingest: () => import('./ingest.ts'),
  orders: () => import('./orders.ts'),
  rolling: () => import('./rolling.ts'),
  standby: () => import('./standby.ts'),
  till: () => import('./till.ts'),
  vendors: () => import('./vendors.ts'),
  webhooks: () => import('./webhooks.ts'),
};

const {
  positionals: [name, ...others],
  values: { tiny: isTiny = false, from },
} = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { tiny: { type: 'boolean' }, from: { type: 'string' } },
});
if (from !== undefined && name !== 'rolling') {
  console.error('--from is for the run rolling');
  exit(2);
}
if (others.length > 0) {
  console.error(`One run by its name, or all of them; not ${others.join(' ')}`);
  exit(2);
}
// The cluster is one of the reader's own: without it the other runs are all there are.
const all = Object.keys(RUNS).filter((run) => !run.startsWith('cluster') || process.env.CLUSTER_DATABASE_URL);
const names = name === undefined ? all : [name];
let holds = true;
for (const chosen of names) {
  const load = RUNS[chosen];
  if (load === undefined) {
    console.error(`No such run: ${chosen}. There are: ${Object.keys(RUNS).join(', ')}`);
    exit(2);
  }
  console.log(`chaos ${chosen}`);
  const startedMs = performance.now();
  const { run, runTiny } = await load();
  if (isTiny && runTiny === undefined) {
    console.error(`chaos ${chosen} has no small form`);
    exit(2);
  }
  const held = await (isTiny && runTiny ? runTiny() : run({ from }));
  console.log(
    `chaos ${chosen}: ${held ? 'held' : 'BROKEN'} after ${Math.round((performance.now() - startedMs) / 1000)} s\n`,
  );
  holds &&= held;
}
exit(holds ? 0 : 1);
