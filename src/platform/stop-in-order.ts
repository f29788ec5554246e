import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** `stop` is told how long it has. What is not down by then is left behind. */
export type StoppingPart = { name: string; stop(withinMs: number): Promise<void> };

/** A part that ends what it waits for at its own limit needs a moment to come to its end. */
const TOLD = 0.8;

/**
 * Stops parts one after the other, all out of one budget: limits of their own in a row add up, and the process would be
 * killed before the last of them is asked. No part takes more than half of what is left, so that there is something left
 * for each, and one that fails or hangs does not keep the next from being asked. Fails as the first of them failed.
 */
export async function stopInOrder(parts: StoppingPart[], withinMs: number, log: FastifyBaseLogger): Promise<void> {
  const endMs = performance.now() + withinMs;
  const failures: unknown[] = [];
  for (const [index, { name, stop }] of parts.entries()) {
    const leftMs = Math.max(0, endMs - performance.now());
    const waitMs = index === parts.length - 1 ? leftMs : leftMs / 2;
    const isDown = await endsWithin(stop(waitMs * TOLD), waitMs).catch((error: unknown) => {
      log.error({ err: error, part: name }, 'a part did not stop well');
      failures.push(error);
      return true;
    });
    if (!isDown) log.error({ part: name, waitedMs: Math.round(waitMs) }, 'a part did not stop in time');
  }
  if (failures.length > 0) throw failures[0];
}

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.abort();
  }
}
