import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { awaitDemoFigures } from '../demo/await-figures.ts';
import { seedDeliveries } from '../demo/deliveries.ts';
import { findDemoLogins, isDemoLoaded, loadDemo } from '../demo/index.ts';
import { showLoadProgress } from '../demo/load-progress.ts';
import { type FoundLogins, replaceLogins } from '../demo/logins.ts';
import { createSimulator } from '../demo/simulator/index.ts';
import { collectGarbage } from '../platform/collect-garbage.ts';
import { MigrationInterrupted } from '../platform/database/index.ts';
import { inBackground } from '../platform/platform.ts';
import { returnMemory } from '../platform/return-memory.ts';
import { type RunningService, startService } from '../server.ts';
import type { Settings } from '../settings.ts';

const EXIT_WITHIN_MS = 9_500;

/** Runs until a signal comes, then drains and stops everything; resolves with the exit code. */
export async function serve(settings: Settings, log: FastifyBaseLogger): Promise<number> {
  // Listened for before anything is up, so that Ctrl-C during a long first start is not lost.
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve(name));
  });
  const stopping = new AbortController();
  void signal.then(() => stopping.abort());
  let found: FoundLogins | undefined;
  const starting = startService(settings, log, {
    signal: stopping.signal,
    beforeRoutes: awaitConsoleBuild(),
    beforeListen: async (platform, { areFiguresComplete }) => {
      if (!settings.demo.load) return;
      const progress = showLoadProgress(process.stderr);
      const isLoaded = await loadDemo(platform, {
        onlyWhenEmpty: true,
        seed: settings.demo.seed,
        onProgress: progress.show,
      });
      progress.end();
      await awaitDemoFigures(platform, { areFiguresComplete, signal: stopping.signal });
      if (!isLoaded) return;
      await seedDeliveries(platform, (await findDemoLogins(platform))?.logins);
      await collectGarbage();
    },
  });
  let running: RunningService;
  try {
    running = await starting;
  } catch (error) {
    if (!(error instanceof MigrationInterrupted)) throw error;
    log.info({ signal: await signal }, error.message);
    return 0;
  }
  if (settings.demo.load) found = await rememberAddress(running, log);
  announce(running, found);
  const memory = returnMemory(log);
  const simulator = settings.demo.simulate ? startSimulator(running, settings, found) : undefined;

  log.info({ signal: await signal }, 'stopping');
  memory.stop();
  await drain(running, settings.platform.drainSeconds);
  const overdue = setTimeout(() => {
    log.error('did not stop in time');
    process.exit(1);
  }, EXIT_WITHIN_MS);
  await simulator?.stop();
  await running.stop();
  // Something that was left behind may still keep the process: then this ends it.
  overdue.unref();
  return 0;
}

/** `npm start` builds the console while the database starts, and sends a message afterwards. The end of `npm start` ends the wait too. */
async function awaitConsoleBuild(): Promise<void> {
  if (process.env.CONSOLE_BUILD !== 'pending' || !process.connected) return;
  await new Promise<void>((resolve) => {
    process.once('message', () => resolve());
    process.once('disconnect', () => resolve());
  });
}

/** Balancers see the 503 of `/health` and turn to other processes before this one refuses. A second signal ends the wait. */
async function drain({ service }: RunningService, seconds: number): Promise<void> {
  if (seconds === 0) return;
  service.startDraining();
  const again = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => again.abort());
  await pause(seconds * 1000, undefined, { signal: again.signal }).catch(() => undefined);
}

/** In a process with the worker role whose data folder has the logins. */
function startSimulator({ platform, service }: RunningService, { demo }: Settings, found: FoundLogins | undefined) {
  if (found === undefined || !platform.config.roles.has('worker')) return undefined;
  const simulator = createSimulator(service.app, inBackground(platform), { logins: found.logins, seed: demo.seed });
  simulator.start();
  return simulator;
}

async function rememberAddress(
  { platform, baseUrl }: RunningService,
  log: FastifyBaseLogger,
): Promise<FoundLogins | undefined> {
  const found = await findDemoLogins(platform);
  if (found === undefined && (await isDemoLoaded(platform))) {
    log.warn({ folder: platform.config.dataDir }, 'the demo is loaded, but its logins are not in this data folder');
  }
  if (found === undefined || baseUrl === '' || found.logins.base_url === baseUrl) return found;
  const logins = { ...found.logins, base_url: baseUrl };
  await replaceLogins(found.file, logins);
  return { file: found.file, logins };
}

function announce({ baseUrl, service }: RunningService, found: FoundLogins | undefined): void {
  if (baseUrl === '') {
    sayMetrics(service.metricsUrl());
    console.log('Dukkan worker is running');
    return;
  }
  const what = service.hasConsole ? 'the console' : 'no console: it is not built';
  console.log(`Dukkan is ready at ${baseUrl}  (${what}; reference: ${baseUrl}/docs)`);
  sayMetrics(service.metricsUrl());
  const first = found?.logins.organizations[0];
  if (found === undefined || first === undefined) return;
  console.log(`\nDemo logins (all of them are in ${found.file}):`);
  for (const role of ['owner', 'member', 'viewer'] as const) {
    console.log(`  ${role.padEnd(10)} ${first[role].email}  ${first[role].password}`);
  }
  console.log(`  ${'commercial'.padEnd(10)} ${found.logins.commercial.email}  ${found.logins.commercial.password}`);
  console.log(
    `\nTry it:\n  curl -s ${baseUrl}/api/v1/auth/credentials -H 'Authorization: Bearer ${first.owner.token}'\n`,
  );
}

function sayMetrics(url: string): void {
  if (url !== '') console.log(`Metrics and health of this process: ${url}`);
}
