import type { FastifyBaseLogger } from 'fastify';
import { loadDemo } from '../demo/index.ts';
import { type DemoLogins, readLogins, writeLogins } from '../demo/logins.ts';
import { type RunningService, startService } from '../server.ts';
import type { Settings } from '../settings.ts';

const EXIT_WITHIN_MS = 9_500;

/** Runs until a signal comes, then drains and stops everything; resolves with the exit code. */
export async function serve(settings: Settings, log: FastifyBaseLogger): Promise<number> {
  // Listened for before anything is up, so that Ctrl-C during a long first start is not lost.
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve(name));
  });
  let logins: DemoLogins | undefined;
  const running = await startService(settings, log, {
    beforeListen: async (platform) => {
      if (settings.demo.load) await loadDemo(platform, { onlyWhenEmpty: true });
    },
  });
  if (settings.demo.load) logins = await rememberAddress(settings.platform.dataDir, running.baseUrl);
  announce(running, logins);

  log.info({ signal: await signal }, 'stopping');
  const overdue = setTimeout(() => {
    log.error('did not stop in time');
    process.exit(1);
  }, EXIT_WITHIN_MS);
  await running.stop();
  // Something that was left behind may still keep the process: then this ends it.
  overdue.unref();
  return 0;
}

async function rememberAddress(dataDir: string, baseUrl: string): Promise<DemoLogins | undefined> {
  const logins = await readLogins(dataDir);
  if (logins === undefined || baseUrl === '' || logins.base_url === baseUrl) return logins;
  const moved = { ...logins, base_url: baseUrl };
  await writeLogins(dataDir, moved);
  return moved;
}

function announce({ baseUrl, service }: RunningService, logins: DemoLogins | undefined): void {
  if (service.metricsUrl() !== '') console.log(`Metrics and health of this process: ${service.metricsUrl()}`);
  if (baseUrl === '') {
    console.log('Dukkan worker is running');
    return;
  }
  console.log(`Dukkan is ready at ${baseUrl}  (reference: ${baseUrl}/docs)`);
  const first = logins?.organizations[0];
  if (logins === undefined || first === undefined) return;
  console.log(`\nDemo logins (all in demo.json under the data folder):`);
  for (const role of ['owner', 'member', 'viewer'] as const) {
    console.log(`  ${role.padEnd(10)} ${first[role].email}  ${first[role].password}`);
  }
  console.log(`  ${'commercial'.padEnd(10)} ${logins.commercial.email}  ${logins.commercial.password}`);
  console.log(
    `\nTry it:\n  curl -s ${baseUrl}/api/v1/auth/credentials -H 'Authorization: Bearer ${first.owner.token}'\n`,
  );
}
