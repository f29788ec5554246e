import { findIndexBuild, type Migration, splitStatements } from './read-migrations.ts';
import { LOCK_TIMEOUT, retryBusy } from './retry-busy.ts';
import { cancelOnSignal, type MigrationRun, retryOptions } from './run.ts';
import { recordApplied } from './schema-tables.ts';

/**
 * For statements with `concurrently`: they wait for every running transaction, and no reader or writer queues behind them while they
 * do. A session that is left open in a transaction must not hold them up for good.
 */
const CONCURRENT_LOCK_TIMEOUT = '30min';
const LOOK_EVERY_MS = 1_000;

/** After an interruption the file starts over, so its statements must be repeatable (`if not exists`). */
export async function applyOnline(migration: Migration, run: MigrationRun): Promise<void> {
  const statements = splitStatements(migration);
  for (const [at, statement] of statements.entries()) {
    await runOnline(migration, statement, { ...run, step: `statement ${at + 1} of ${statements.length}` });
  }
  await recordApplied(run.locked, migration);
}

type OnlineRun = MigrationRun & { step: string };

/** One statement outside a transaction, cancelled by the signal and repeated after a lock timeout. */
export async function runOnline(migration: Migration, statement: string, run: OnlineRun): Promise<void> {
  run.reporter.update({ step: run.step });
  await cancelOnSignal(run, () => retryBusy(() => runStatement(migration, statement, run), retryOptions(run)));
}

async function runStatement(migration: Migration, statement: string, run: OnlineRun): Promise<void> {
  const { locked, step } = run;
  const index = findIndexBuild(statement, migration.name);
  const isConcurrent = /\bconcurrently\b/i.test(statement);
  await locked`select set_config('lock_timeout', ${isConcurrent ? CONCURRENT_LOCK_TIMEOUT : LOCK_TIMEOUT}, false)`;
  if (index !== undefined) await dropInvalidIndex(index, run);
  const stopWatching = isConcurrent ? watchIndexBuild(step, run) : undefined;
  try {
    await locked.unsafe(statement);
  } finally {
    stopWatching?.();
  }
  await locked`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`;
}

/** What an interrupted `create index concurrently` leaves: it slows writers down, serves no reader and satisfies `if not exists`. */
async function dropInvalidIndex(index: string, { locked }: MigrationRun): Promise<void> {
  const [left] = await locked`
    select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
  if (left !== undefined) await locked.unsafe(`drop index concurrently if exists ${index}`);
}

/** Reports the blocks that the server has read, once a second. */
function watchIndexBuild(step: string, { pool, backendPid, reporter }: MigrationRun): () => void {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const rows = await pool<{ phase: string; done: string; total: string }[]>`
      select phase, blocks_done::text as done, blocks_total::text as total
      from pg_stat_progress_create_index where pid = ${backendPid}`.catch(() => []);
    isLooking = false;
    const [build] = rows;
    if (build === undefined || stopped) return;
    const blocks = Number(build.total) > 0 ? { done: Number(build.done), total: Number(build.total) } : {};
    reporter.update({ step: `${step}, ${build.phase}`, ...blocks });
  };
  let stopped = false;
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
