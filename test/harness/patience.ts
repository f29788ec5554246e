import { availableParallelism, loadavg } from 'node:os';

/** How long one step may take on a quiet machine before the test fails. The slowest step of the suite takes 3 s there. */
const QUIET_MS = 30_000;
/** The suite itself keeps a quiet machine busy with about two processes a core. */
const OWN_LOAD_PER_CORE = 2;
const MAX_FACTOR = 10;
/**
 * Most polls ask the service over HTTP, 5 ms of a core each. 139 tests that poll much took 47 and 44 CPU seconds with 50 ms, 41 and 42 with 150; at
 * 20 ms a wait took a quarter of a core for itself.
 */
const POLL_INTERVAL_MS = 100;

/** What `measureSpeed` takes on a quiet core of the machine that the numbers of this suite were measured on. */
const REFERENCE_MS = 30;
const ROUNDS = 6_000_000;

/**
 * How much slower than the reference this machine is at the moment. Elapsed time, so that cores taken by other programs count. Called once,
 * when the run is configured, before its own workers are started.
 */
export function measureSpeed(): number {
  const startedMs = performance.now();
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 1) sum = (sum * 31 + round) % 1_000_003;
  if (sum < 0) throw new Error('unreachable: keeps the loop from being removed');
  return Math.max(1, (performance.now() - startedMs) / REFERENCE_MS);
}

/**
 * The patience of the run in milliseconds: 30 s on a quiet machine, more in proportion to its speed, measured at the start, and to its
 * load at the moment. `TEST_PATIENCE_MS` replaces it.
 */
export function patienceMs(): number {
  const fixed = Number(process.env.TEST_PATIENCE_MS);
  if (fixed > 0) return fixed;
  const speed = Number(process.env.TEST_SPEED ?? 1);
  // Windows reports no load: there only the speed counts.
  const load = (loadavg()[0] ?? 0) / availableParallelism() / OWN_LOAD_PER_CORE;
  return Math.round(QUIET_MS * Math.min(MAX_FACTOR, Math.max(1, speed, load)));
}

/** The limits of vitest that follow from it. A test is many steps; a hook may load a demo or start several services. */
export function timeouts() {
  const patience = patienceMs();
  return {
    testTimeout: 2 * patience,
    hookTimeout: 4 * patience,
    expect: { poll: { timeout: patience, interval: POLL_INTERVAL_MS } },
  };
}
