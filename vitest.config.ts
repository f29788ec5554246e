import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { budgetReporter } from './test/harness/budget-reporter.ts';
import { LongestFirst } from './test/harness/longest-first.ts';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'bench/**/*.test.ts',
      'sdk/src/**/*.test.ts',
      'console/{src,test,e2e}/**/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, 'test/import-rules/fixtures/**'],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/every-file.ts'],
    reporters: ['default', budgetReporter(import.meta.dirname)],
    // Real servers and processes: a machine whose cores are all taken needs patience, and nothing waits this long when well.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // The library's own patience is one second, which is a bet on the mood of the machine.
    expect: { poll: { timeout: 180_000, interval: 20 } },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Files share a process: reading the modules anew and a first start of the service cost 1.5 s of a core a file.
    isolate: false,
    // Much of the time is spent waiting for servers to start and leases to end: with a worker a core, a fifth of two cores was idle.
    maxWorkers: availableParallelism() + 1,
  },
});
