import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { budgetReporter } from './test/harness/budget-reporter.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/walls/fixtures/**'],
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: ['default', budgetReporter(import.meta.dirname)],
    // Real servers and processes: a machine with two busy cores needs patience, and nothing waits this long when well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Most of the time is spent waiting for servers to start and leases to end: by itself, vitest would leave a core idle.
    maxWorkers: availableParallelism(),
  },
});
