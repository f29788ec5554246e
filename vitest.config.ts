import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { budgetReporter } from './test/harness/budget-reporter.ts';
import { LongestFirst } from './test/harness/longest-first.ts';
import { measureSpeed, timeouts } from './test/harness/patience.ts';

// Read by patience.ts in every worker.
process.env.TEST_SPEED ??= String(measureSpeed());

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'bench/**/*.test.ts',
      'sdk/src/**/*.test.ts',
      'console/{src,test,e2e}/**/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, 'test/walls/fixtures/**'],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/every-file.ts'],
    reporters: ['default', budgetReporter(import.meta.dirname)],
    // Set again for each file, by the load at that moment: see patience.ts.
    ...timeouts(),
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Files share a process: reading the modules anew and a first start of the service cost 1.5 s of a core a file.
    isolate: false,
    // Much of the time is spent waiting for servers to start and leases to end: with a worker a core, a fifth of two cores was idle.
    maxWorkers: availableParallelism() + 1,
  },
});
