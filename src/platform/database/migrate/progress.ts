import type { Migration } from './read-migrations.ts';

export type MigrationProgress = {
  state: 'waiting' | 'running' | 'applied';
  /** Empty while another process holds the lock. */
  name: string;
  /** Position among the migrations of this run, from 1. */
  number: number;
  count: number;
  elapsedMs: number;
} & WorkState;

type WorkState = {
  /** What is being done, such as `statement 2 of 3`. */
  step?: string;
  done?: number;
  /** An estimate. */
  total?: number;
  perSecond?: number;
  remainingMs?: number;
};

export type OnProgress = (progress: MigrationProgress) => void;

const TICK_MS = 1_000;

export type Reporter = {
  /** Rows or blocks done; the rate is that of this run and of this step. */
  update(state: { step?: string; done?: number; total?: number }): void;
  end(state?: 'applied'): void;
};

/** Reports once a second, so that a long statement is seen to go on. */
export function createReporter(
  { name }: Pick<Migration, 'name'>,
  { number, count, onProgress }: { number: number; count: number; onProgress: OnProgress },
): Reporter {
  const startedMs = performance.now();
  let current: WorkState = {};
  let first = { step: '', done: 0, atMs: startedMs };
  const report = (state: MigrationProgress['state']) =>
    onProgress({ state, name, number, count, elapsedMs: performance.now() - startedMs, ...current });
  const tick = setInterval(() => report('running'), TICK_MS);
  tick.unref();
  report('running');
  return {
    update({ step, done, total }) {
      const nowMs = performance.now();
      if (done === undefined) {
        current = { step };
        return;
      }
      if (current.done === undefined || first.step !== (step ?? '')) first = { step: step ?? '', done, atMs: nowMs };
      current = { step, done, ...(total !== undefined && { total: Math.max(total, done) }) };
      const perSecond = ((done - first.done) * 1_000) / (nowMs - first.atMs);
      if (!(perSecond > 0) || !Number.isFinite(perSecond)) return;
      current.perSecond = perSecond;
      if (current.total !== undefined) current.remainingMs = ((current.total - done) * 1_000) / perSecond;
    },
    end(state) {
      clearInterval(tick);
      if (state !== undefined) report(state);
    },
  };
}
