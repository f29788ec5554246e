import fc from 'fast-check';
import { afterAll, inject, vi } from 'vitest';
import { setPasswordCost } from '../../src/modules/identity/passwords/passwords.ts';
import { cleanUpFile } from './end-of-file.ts';
import { timeouts } from './patience.ts';

// Runs before each test file, also where files share a process.
const cpuAtStart = process.cpuUsage();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the first parameter and accepts no other form
afterAll(async ({}, file) => {
  await cleanUpFile();
  const { user, system } = process.cpuUsage(cpuAtStart);
  // Read by the budget reporter.
  file.meta.cpuSeconds = (user + system) / 1_000_000;
});

// Other programs may have come or gone since the run was configured. The type leaves out `expect`; the function takes any option.
vi.setConfig(timeouts() as Parameters<typeof vi.setConfig>[0]);

// Files about the cost, or about what waits for hashes, set the usual one.
setPasswordCost(16);

// Read by programFile(), which also runs outside of vitest.
const program = inject('programFile');
if (program !== undefined) process.env.TEST_PROGRAM ??= program;

// The same generated cases in every run, so that a failure can be repeated. TEST_SEED tries others.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_115) });
