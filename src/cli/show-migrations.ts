import type { MigrationProgress, OnProgress } from '../platform/database/index.ts';
import type { Screen } from './show-progress.ts';

const LINE_EVERY_MS = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

/** A line for each applied migration; for one under way, a line that is redrawn on a terminal, or one every 10 seconds elsewhere. */
export function showMigrations(screen: Screen): OnProgress {
  let nextMs = LINE_EVERY_MS;
  return (progress) => {
    const line = formatProgress(progress);
    if (screen.isTTY) {
      const isDone = progress.state === 'applied';
      // A line that wraps could not be drawn over.
      screen.write(CLEAR_LINE + (isDone ? `${line}\n` : line.slice(0, (screen.columns ?? 80) - 1)));
      return;
    }
    if (progress.state !== 'applied') {
      if (progress.elapsedMs < nextMs) return;
      nextMs = progress.elapsedMs + LINE_EVERY_MS;
    } else nextMs = LINE_EVERY_MS;
    screen.write(`${line}\n`);
  };
}

/** `2/3 0041_totals.ts  12 s  orders  450,000 of 1,000,000 (45 %)  37,000/s  15 s left` */
export function formatProgress(progress: MigrationProgress): string {
  const { state, name, number, count, elapsedMs, step, done, total, perSecond, remainingMs } = progress;
  if (state === 'waiting') return `waiting for another process that is migrating  ${formatSeconds(elapsedMs)}`;
  const parts = [`${number}/${count} ${name}`, formatSeconds(elapsedMs)];
  if (state === 'applied') return [...parts, ...(done === undefined ? [] : [`${formatCount(done)} rows`])].join('  ');
  if (step !== undefined) parts.push(step);
  if (done !== undefined)
    parts.push(
      total
        ? `${formatCount(done)} of ${formatCount(total)} (${Math.floor((100 * done) / total)} %)`
        : formatCount(done),
    );
  if (perSecond !== undefined) parts.push(`${formatCount(perSecond)}/s`);
  if (remainingMs !== undefined) parts.push(`${formatSeconds(remainingMs)} left`);
  return parts.join('  ');
}

export function formatSeconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}
