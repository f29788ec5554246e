import { once } from 'node:events';
import type { LoadPlan, Sample } from '../load/plan.ts';
import type { CleanUp } from './clean-up.ts';
import { startGenerator } from './start-generator.ts';
import { type BenchProcess, startProcess, waitUntilReady } from './start-process.ts';
import { type BenchServer, startServer } from './start-server.ts';
import { type BenchService, type ServiceOptions, startService } from './start-service.ts';

/** What an entry builds its setting with. Everything started here is taken down at the end, whatever happens. */
export type Frame = {
  startService(options?: ServiceOptions): Promise<BenchService>;
  /** For entries whose baselines use the same server; `settings` are of the embedded one. */
  startServer(settings?: Record<string, string>): Promise<BenchServer>;
  /** `file` is under `bench/baselines`; it sends `{ baseUrl }` to its parent once it answers. */
  startBaseline(file: string, env?: Record<string, string>): Promise<{ baseUrl: string; process: BenchProcess }>;
  /** A process that takes orders by message; what comes back is its answer to `quiet`. */
  startHelper(file: URL): Promise<(order: unknown) => Promise<unknown>>;
  load(plan: LoadPlan, seconds: number): Promise<Sample>;
  atEnd(undo: () => Promise<void>): void;
  /** Of the services started so far; to see whether memory stays flat. */
  readMemoryMb(): Promise<number>;
};

export async function openFrame(cleanUp: CleanUp, options: { profileFolder?: string } = {}): Promise<Frame> {
  const generate = await startGenerator(cleanUp);
  const servers = new Map<string, BenchProcess>();
  const services: BenchProcess[] = [];
  const profiling =
    options.profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`];
  return {
    atEnd: cleanUp.add,

    startServer: (settings) => startServer(cleanUp, settings),

    async startService(settings = {}) {
      const nodeOptions = [...profiling, ...(settings.nodeOptions ?? [])];
      const service = await startService(cleanUp, { ...settings, nodeOptions });
      servers.set(service.baseUrl, service.process);
      services.push(service.process);
      return service;
    },

    async startBaseline(file, env) {
      const baseline = await startProcess(new URL(`../baselines/${file}`, import.meta.url), cleanUp, { env });
      const { baseUrl } = await waitUntilReady(
        baseline,
        file,
        ({ message }) => message as { baseUrl: string } | undefined,
      );
      servers.set(baseUrl, baseline);
      return { baseUrl, process: baseline };
    },

    async startHelper(file) {
      const helper = await startProcess(file, cleanUp);
      await waitUntilReady(helper, file.pathname, ({ message }) => (message === undefined ? undefined : true));
      return async (order) => {
        const answered = order === 'quiet' ? once(helper.child, 'message') : undefined;
        helper.child.send(order as object);
        return (await answered)?.[0];
      };
    },

    async load(plan, seconds) {
      const server = servers.get(plan.baseUrl);
      const before = await server?.readUsage();
      const sample = await generate(plan, seconds);
      const after = await server?.readUsage();
      if (before === undefined || after === undefined || sample.count === 0) return sample;
      return { ...sample, serverCpuUs: ((after.cpuMs - before.cpuMs) * 1000) / (sample.count + sample.failed) };
    },

    async readMemoryMb() {
      const usages = await Promise.all(services.map((service) => service.readUsage()));
      return usages.reduce((sum, usage) => sum + usage.memoryMb, 0);
    },
  };
}
