import { setTimeout as delay } from 'node:timers/promises';
import { findFact, settleFact } from '../platform/installation/index.ts';
import type { Platform } from '../platform/platform.ts';

const LOOK_EVERY_MS = 100;
/** An idle machine of two cores needs 8 s, one with 16 runnable processes more than two minutes. */
const MAX_WAIT_MS = 300_000;

export type FiguresWait = {
  areFiguresComplete(): Promise<boolean>;
  /** Aborted when the service is stopped during startup. */
  signal: AbortSignal;
  maxWaitMs?: number;
};

/**
 * Sales, customers and forecasts of the demo are computed in the background once its orders are stored. A service that is ready
 * before that shows a dashboard of zeros, so the start waits. It waits once: a fact in the database records that the figures are
 * complete. A start after an interrupted one waits for the rest. A process without workers does not wait: it cannot know when another
 * process computes them.
 */
export async function awaitDemoFigures(
  { sql, clock, config, log }: Pick<Platform, 'sql' | 'clock' | 'config' | 'log'>,
  { areFiguresComplete, signal, maxWaitMs = MAX_WAIT_MS }: FiguresWait,
): Promise<void> {
  if (!config.roles.has('worker')) return;
  if ((await findFact(sql, 'demo_loaded_at')) === undefined) return;
  if ((await findFact(sql, 'demo_counted_at')) !== undefined) return;
  const startedMs = performance.now();
  while (!(await areFiguresComplete())) {
    if (signal.aborted) return;
    if (performance.now() - startedMs > maxWaitMs) {
      log.warn({ waitedMs: maxWaitMs }, 'figures of the demo are still being made: the dashboard will show them later');
      return;
    }
    await delay(LOOK_EVERY_MS);
  }
  await settleFact(sql, 'demo_counted_at', clock.now().toISOString());
  log.info({ tookMs: Math.round(performance.now() - startedMs) }, 'figures of the demo are complete');
}
