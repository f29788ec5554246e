import { defineCommand } from './command.ts';
import { formatSeconds, showMigrations } from './show-migrations.ts';

export const migrateCommand = defineCommand({
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

function countOf(migrations: readonly string[]): string {
  return migrations.length === 1 ? '1 migration' : `${migrations.length} migrations`;
}
