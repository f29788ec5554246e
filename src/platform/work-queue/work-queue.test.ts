import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { patienceMs } from '../../../test/harness/patience.ts';
import { ClaimLost, createWorkQueue, type Settling, type StartItems } from './work-queue.ts';

const log = pino({ level: 'silent' });
const SLOTS = 3;

type Run = { item: number; end(outcome?: string): void; fail(error: Error): void };

/** A queue in memory whose items end when the test says so. */
function openQueue(due: number[], settle: (outcomes: string[]) => Promise<void> = async () => undefined) {
  const running: Run[] = [];
  const settled: string[][] = [];
  let taken = 0;
  async function claim(start: StartItems<number>, { outcomes, isSettlingOnly }: Settling<string>): Promise<boolean> {
    if (outcomes.length > 0) {
      await settle(outcomes);
      settled.push(outcomes);
    }
    if (isSettlingOnly) return false;
    start(due.splice(0, SLOTS - taken));
    return false;
  }
  const queue = createWorkQueue<number, string>({
    name: 'test',
    log,
    claim,
    acquireSlot() {
      taken += 1;
      return () => {
        taken -= 1;
      };
    },
    run: (item) =>
      new Promise((resolve, reject) => {
        running.push({ item, end: resolve, fail: reject });
      }),
    describe: (item) => ({ item }),
  });
  const itemsRunning = () => running.map(({ item }) => item);
  return { queue, running, settled, itemsRunning, slotsTaken: () => taken };
}

const unavailable = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });

describe('createWorkQueue', () => {
  it('claims for free slots only, and claims again when an item ends', async () => {
    const { queue, running, itemsRunning } = openQueue([1, 2, 3, 4, 5]);
    queue.start();
    await vi.waitFor(() => expect(itemsRunning()).toEqual([1, 2, 3]));
    expect(queue.inFlight()).toBe(3);
    running[1]?.end('two');
    await vi.waitFor(() => expect(itemsRunning()).toEqual([1, 2, 3, 4]));
    for (const run of running) run.end();
    await vi.waitFor(() => expect(itemsRunning()).toHaveLength(5));
    for (const run of running) run.end();
    await queue.stop();
  });

  it('settles outcomes of items that end together in one batch', async () => {
    const { queue, running, settled } = openQueue([1, 2, 3]);
    queue.start();
    await vi.waitFor(() => expect(running).toHaveLength(3));
    for (const { item, end } of running) end(`outcome ${item}`);
    await vi.waitFor(() => expect(settled.flat()).toHaveLength(3));
    expect(settled.length).toBeLessThan(3);
    await queue.stop();
  });

  it('stops after running items have ended and are settled, and claims nothing meanwhile', async () => {
    const due = [1, 2, 3, 4];
    const { queue, running, settled } = openQueue(due);
    queue.start();
    await vi.waitFor(() => expect(running).toHaveLength(3));
    const stopped = queue.stop();
    for (const { item, end } of running) end(`outcome ${item}`);
    await stopped;
    expect(settled.flat().toSorted()).toEqual(['outcome 1', 'outcome 2', 'outcome 3']);
    expect([due, queue.inFlight(), queue.unsettled()]).toEqual([[4], 0, 0]);
  });

  it('keeps outcomes while the database is unavailable', async () => {
    let failures = 0;
    const { queue, running, settled } = openQueue([1], async () => {
      failures += 1;
      if (failures < 3) throw unavailable;
    });
    queue.start();
    await vi.waitFor(() => expect(running).toHaveLength(1));
    running[0]?.end('kept');
    await vi.waitFor(() => expect(settled).toEqual([['kept']]), { timeout: patienceMs() });
    await queue.stop();
  });

  it('settles a batch that the database refuses outcome by outcome, without the one at fault', async () => {
    const { queue, running, settled } = openQueue([1, 2, 3], async (outcomes) => {
      if (outcomes.includes('bad')) throw new Error('value out of range');
    });
    queue.start();
    await vi.waitFor(() => expect(running).toHaveLength(3));
    for (const [index, outcome] of ['good', 'bad', 'better'].entries()) running[index]?.end(outcome);
    await vi.waitFor(() => expect(settled.flat().toSorted()).toEqual(['better', 'good']));
    await queue.stop();
    expect(queue.unsettled()).toBe(0);
  });

  it.each([new Error('failed'), new ClaimLost('claimed by another process')])(
    'releases the slot of an item that fails: %s',
    async (error) => {
      const { queue, running, slotsTaken, itemsRunning } = openQueue([1, 2, 3, 4]);
      queue.start();
      await vi.waitFor(() => expect(running).toHaveLength(3));
      running[0]?.fail(error);
      await vi.waitFor(() => expect(itemsRunning()).toEqual([1, 2, 3, 4]), { timeout: patienceMs() });
      expect(slotsTaken()).toBe(3);
      for (const run of running) run.end();
      await queue.stop();
    },
  );
});
