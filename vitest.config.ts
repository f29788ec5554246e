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
    // Tests start real servers and processes, which take long on a machine under load; no test waits this long otherwise.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // The default of one second depends on the load of the machine.
    expect: { poll: { timeout: 180_000, interval: 20 } },
    coverage: {
      provider: 'v8',
      // A summary, then the files that have uncovered lines.
      reporter: ['text-summary', ['text', { skipFull: true }]],
      exclude: ['**/*.test.ts', '**/testing/**', '**/*.gen.ts', 'test/**', 'bench/**', 'scripts/**', 'console/e2e/**'],
    },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Files share a process: loading the modules and the first start of the service would cost each file 1.5 s of a core.
    isolate: false,
    // Tests often wait for servers to start and leases to end: with one worker per core, a fifth of two cores was idle.
    maxWorkers: availableParallelism() + 1,
  },
});
