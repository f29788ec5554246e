import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/index.ts';
import { systemClock } from '../platform/clock.ts';
import { findFact, settleFact } from '../platform/installation/index.ts';
import type { Platform } from '../platform/platform.ts';
import { awaitDemoFigures } from './await-figures.ts';

const { sql } = await testDatabase();
const clock = systemClock();
const log = pino({ level: 'silent' });
const platformOf = (...roles: string[]) =>
  ({ sql, clock, log, config: { roles: new Set(roles) } }) as unknown as Platform;
const worker = platformOf('api', 'worker');
const { signal } = new AbortController();

/** Complete at the given look, counting from 1. */
function figures(completeAt: number) {
  const looks = { count: 0 };
  return {
    looks,
    async areFiguresComplete() {
      looks.count += 1;
      return looks.count >= completeAt;
    },
  };
}

describe('a start with the demo', () => {
  it('does not wait where no demo was loaded', async () => {
    const { looks, areFiguresComplete } = figures(1);
    await awaitDemoFigures(worker, { areFiguresComplete, signal });
    expect(looks.count).toBe(0);
  });

  it('continues without the figures when stopped, when workers run in another process, and after its time limit', async () => {
    await settleFact(sql, 'demo_loaded_at', clock.now().toISOString());
    const { looks, areFiguresComplete } = figures(Number.POSITIVE_INFINITY);
    await awaitDemoFigures(platformOf('api'), { areFiguresComplete, signal });
    expect(looks.count).toBe(0);
    await awaitDemoFigures(worker, { areFiguresComplete, signal: AbortSignal.abort() });
    await awaitDemoFigures(worker, { areFiguresComplete, signal, maxWaitMs: 0 });
    expect(await findFact(sql, 'demo_counted_at')).toBeUndefined();
  });

  it('waits until the figures are complete, and never again', async () => {
    const { looks, areFiguresComplete } = figures(3);
    await awaitDemoFigures(worker, { areFiguresComplete, signal });
    expect(looks.count).toBe(3);
    await awaitDemoFigures(worker, { areFiguresComplete, signal });
    expect(looks.count).toBe(3);
  });
});
