import type { FastifyBaseLogger } from 'fastify';
import type { OnProgress } from './platform/database/index.ts';

const LOG_EVERY_MS = 10_000;

/** A start that migrates a large database is otherwise silent for minutes. */
export function logMigrations(log: FastifyBaseLogger): OnProgress {
  let nextMs = LOG_EVERY_MS;
  return ({ state, name, elapsedMs, step, done, total, perSecond, remainingMs }) => {
    if (state === 'applied') {
      nextMs = LOG_EVERY_MS;
      return;
    }
    if (elapsedMs < nextMs) return;
    nextMs = elapsedMs + LOG_EVERY_MS;
    const seconds = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms / 1_000));
    if (state === 'waiting')
      log.info({ elapsed_s: seconds(elapsedMs) }, 'waiting for another process that is migrating');
    else {
      const rows = { done, total, per_second: perSecond && Math.round(perSecond), remaining_s: seconds(remainingMs) };
      log.info({ migration: name, elapsed_s: seconds(elapsedMs), step, ...rows }, 'migrating');
    }
  };
}
