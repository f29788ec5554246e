import { readFile } from 'node:fs/promises';
import type { LoadPlan, Sample } from '../load/plan.ts';
import type { CleanUp } from './clean-up.ts';
import { startGenerator } from './start-generator.ts';
import { startProcess, waitUntilReady } from './start-process.ts';
import { type BenchService, type ServiceOptions, startService } from './start-service.ts';

/** What an entry builds its setting with. Everything started here is taken down at the end, whatever happens. */
export type Frame = {
  startService(options?: ServiceOptions): Promise<BenchService>;
  /** `file` is under `bench/floors`; it sends `{ baseUrl }` to its parent once it answers. */
  startFloor(file: string, env?: Record<string, string>): Promise<{ baseUrl: string }>;
  load(plan: LoadPlan, seconds: number): Promise<Sample>;
  atEnd(undo: () => Promise<void>): void;
  /** Of every service started so far; to see whether memory stays flat. Linux only. */
  readMemoryMb(): Promise<number | undefined>;
};

export async function openFrame(cleanUp: CleanUp, options: { profileFolder?: string } = {}): Promise<Frame> {
  const load = await startGenerator(cleanUp);
  const services: BenchService[] = [];
  const profiling =
    options.profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`];
  return {
    load,
    atEnd: cleanUp.add,

    async startService(settings = {}) {
      const service = await startService(cleanUp, {
        ...settings,
        nodeOptions: [...profiling, ...(settings.nodeOptions ?? [])],
      });
      services.push(service);
      return service;
    },

    async startFloor(file, env) {
      const floor = await startProcess(new URL(`../floors/${file}`, import.meta.url), cleanUp, { env });
      return waitUntilReady(floor, file, ({ message }) => message as { baseUrl: string } | undefined);
    },

    async readMemoryMb() {
      let kilobytes = 0;
      for (const { pid } of services) {
        const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
        kilobytes += Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
      }
      return kilobytes === 0 ? undefined : Math.round(kilobytes / 1024);
    },
  };
}
