import { seedDemo } from '../demo/index.ts';
import { defineCommand } from './command.ts';
import { describeApi } from './describe-api.ts';
import { serve } from './serve.ts';
import { formatSeconds, showMigrations } from './show-migrations.ts';

const serveCommand = defineCommand({
  name: 'serve',
  summary: 'run the service until it is stopped (npm start)',
  example: 'serve',
  details: `Settings come from the environment: PORT, HOST, DATABASE_URL, DUKKAN_DATA_DIR, LOG_LEVEL, LOG_FORMAT and those in
README.md.`,
  answers: false,
  run: async (context) => ({ exitCode: await serve(context.settings(), context.log()) }),
});

const migrate = defineCommand({
  name: 'migrate',
  summary: 'bring the database up to date; refused while an older service runs on it',
  options: { force: { meaning: 'even under an older service: for migrations that only add' } },
  example: 'migrate',
  details: `Shows each migration with its time and progress. Ctrl-C and SIGTERM stop it; the next run continues.`,
  async run(context, { options, json }) {
    const byForce = options.force || context.settings().platform.migrateByForce;
    const interrupted = new AbortController();
    // Once: a second signal ends the process at once.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
    const startedMs = performance.now();
    const onProgress = json ? undefined : showMigrations(context.screen);
    const applied = await context.migrate({ byForce, signal: interrupted.signal, onProgress });
    const took = formatSeconds(performance.now() - startedMs);
    const summary = applied.length === 0 ? '' : `Applied ${countOf(applied)} in ${took}.\n`;
    return { value: { up_to_date: true, applied }, text: `${summary}The database is up to date.` };
  },
});

const seed = defineCommand({
  name: 'seed',
  summary: 'load the demo, once',
  options: { force: { meaning: 'also beside organizations that are there already' } },
  example: 'seed',
  async run(context, { options }) {
    const { loaded, logins, text } = await seedDemo(await context.platform(), options);
    return { value: { loaded, logins }, text };
  },
});

const openapi = defineCommand({
  name: 'openapi',
  summary: 'print the API description, or write it to openapi.json',
  options: { write: { meaning: "write it to the project's openapi.json" } },
  example: 'openapi > dukkan.json',
  details: 'Needs no database. The description is JSON with or without --json.',
  async run(context, { options: { write } }) {
    const { description, file } = await describeApi(context.settings(), context.log(), { write });
    if (file !== undefined) return { value: { written: file }, text: `Written to ${file}` };
    return { value: description, text: JSON.stringify(description, null, 2) };
  },
});

export const SERVICE_COMMANDS = [serveCommand, migrate, seed, openapi];

function countOf(migrations: readonly string[]): string {
  return migrations.length === 1 ? '1 migration' : `${migrations.length} migrations`;
}
