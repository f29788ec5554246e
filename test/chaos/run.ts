import { argv, exit } from 'node:process';

/** `npm run chaos [name]`: long runs that break things on purpose. Each prints its counts and says whether they hold. */
const RUNS: Record<string, () => Promise<{ run(): Promise<boolean> }>> = {
  feed: () => import('./feed.ts'),
  orders: () => import('./orders.ts'),
  till: () => import('./till.ts'),
  webhooks: () => import('./webhooks.ts'),
};

const [, , name] = argv;
const names = name === undefined ? Object.keys(RUNS) : [name];
let holds = true;
for (const chosen of names) {
  const load = RUNS[chosen];
  if (load === undefined) {
    console.error(`No such run: ${chosen}. There are: ${Object.keys(RUNS).join(', ')}`);
    exit(2);
  }
  console.log(`chaos ${chosen}`);
  const startedMs = performance.now();
  const held = await (await load()).run();
  console.log(
    `chaos ${chosen}: ${held ? 'held' : 'BROKEN'} after ${Math.round((performance.now() - startedMs) / 1000)} s\n`,
  );
  holds &&= held;
}
exit(holds ? 0 : 1);
