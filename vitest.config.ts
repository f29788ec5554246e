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
    exclude: [
      ...configDefaults.exclude,
      'test/import-rules/fixtures/**',
      // They need a cluster: npm run test:cluster.
      ...(process.env.CLUSTER_DATABASE_URL ? [] : ['test/cluster/**']),
    ],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/every-file.ts'],
    reporters: ['default', budgetReporter(import.meta.dirname)],
    // Set again for each file, by the load at that moment: see patience.ts.
    ...timeouts(),
    coverage: {
      provider: 'v8',
      // A summary, then the files that have uncovered lines.
      reporter: ['text-summary', ['text', { skipFull: true }]],
      exclude: ['**/*.test.ts', '**/testing/**', '**/*.gen.ts', 'test/**', 'bench/**', 'scripts/**', 'console/e2e/**'],
    },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Node loads the sources itself, as it does in production: without a transform and with its compile cache, and calls between modules
    // are plain calls.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Files share a process: loading the modules and the first start of the service would cost each file 1.5 s of a core.
    isolate: false,
    // Tests often wait for servers to start, polls and leases to end: with one worker per core a fifth of two cores was idle (estimated), with
    // two more 6 % (measured for src, docs/performance/tests.md).
    maxWorkers: availableParallelism() + 2,
  },
});
