import type { FastifyBaseLogger } from 'fastify';
import { within } from './within.ts';

/** `stop` receives its time limit. A part that takes longer is left running. */
export type StoppingPart = { name: string; stop(withinMs: number): Promise<void> };

/** Share of the wait that a part receives as its own limit: it needs the rest to abort its work and finish. */
const OWN_LIMIT_SHARE = 0.8;

/**
 * Stops parts one after the other within one time budget: separate limits would add up, and the process would be killed
 * before the last part is asked to stop. Each part gets at most half of the remaining time, and a part that fails or hangs
 * does not prevent the next from stopping. Rejects with the first failure.
 */
export async function stopInOrder(parts: StoppingPart[], withinMs: number, log: FastifyBaseLogger): Promise<void> {
  const endMs = performance.now() + withinMs;
  const failures: unknown[] = [];
  for (const [index, { name, stop }] of parts.entries()) {
    const leftMs = Math.max(0, endMs - performance.now());
    const waitMs = index === parts.length - 1 ? leftMs : leftMs / 2;
    const reportLate = () => log.error({ part: name, waitedMs: Math.round(waitMs) }, 'a part did not stop in time');
    await within(waitMs, stop(waitMs * OWN_LIMIT_SHARE), reportLate).catch((error: unknown) => {
      log.error({ err: error, part: name }, 'a part failed to stop');
      failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}
