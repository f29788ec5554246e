import { setTimeout as pause } from 'node:timers/promises';
import { startWorkerProcess, type WorkerProcess } from '../../src/modules/webhooks/testing/worker-process.ts';

export type Crew = {
  start(): Promise<void>;
  kills(): number;
  killOne(): void;
  killAll(): void;
  /** Where those that have the API role answer, of those that are alive. */
  baseUrls(): string[];
  dismiss(): Promise<void>;
};

/** Processes of the service that are replaced as soon as they die. */
export function createCrew(settings: Record<string, string>, size: number): Crew {
  const running = new Set<WorkerProcess>();
  const replacing = new Set<Promise<void>>();
  let kills = 0;
  let dismissed = false;

  async function hire(): Promise<void> {
    while (!dismissed) {
      // One that starts while the database is down ends by itself; the next has better luck.
      const worker = await startWorkerProcess(settings, 'ignore').catch(() => pause(200));
      if (!worker) continue;
      running.add(worker);
      worker.child.once('exit', () => {
        running.delete(worker);
        replace();
      });
      return;
    }
  }
  function replace(): void {
    const hiring = hire().finally(() => replacing.delete(hiring));
    replacing.add(hiring);
  }
  function kill(worker: WorkerProcess): void {
    kills += 1;
    running.delete(worker);
    worker.child.kill('SIGKILL');
  }

  return {
    start: async () => {
      await Promise.all(Array.from({ length: size }, hire));
    },
    kills: () => kills,
    killOne() {
      const [worker] = [...running].sort(() => Math.random() - 0.5);
      if (worker) kill(worker);
    },
    killAll: () => {
      for (const worker of [...running]) kill(worker);
    },
    baseUrls: () => [...running].map(({ baseUrl }) => baseUrl),
    async dismiss() {
      dismissed = true;
      await Promise.all(replacing);
      await Promise.all([...running].map((worker) => worker.end('SIGTERM')));
    },
  };
}
