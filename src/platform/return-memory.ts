import { performance } from 'node:perf_hooks';
import type { FastifyBaseLogger } from 'fastify';
import { collectGarbage } from './collect-garbage.ts';

/** `usedBytes` is heap and buffers that are allocated now, `residentBytes` what the process holds of the machine's memory. */
export type MemoryReading = { residentBytes: number; usedBytes: number; utilization: number };

/** What the process needs beside its heap is 110 MB after a start and 190 MB after any load. */
const EXCESS_BYTES = 256 * 1024 * 1024;
const GROWN_BYTES = 128 * 1024 * 1024;
const QUIET_UTILIZATION = 0.05;
const EVERY_MS = 60_000;

/**
 * Whether a collection now would return memory that nothing waits for: the last minute was quiet, and the process holds much more than it
 * uses. After a collection that returned little, only when the process has grown since.
 */
export function createMemoryCheck(): {
  isDue(reading: MemoryReading): boolean;
  collected(residentBytes: number): void;
} {
  let atLeastBytes = 0;
  return {
    isDue: ({ residentBytes, usedBytes, utilization }) =>
      utilization < QUIET_UTILIZATION && residentBytes - usedBytes > EXCESS_BYTES && residentBytes > atLeastBytes,
    collected(residentBytes) {
      atLeastBytes = residentBytes + GROWN_BYTES;
    },
  };
}

/**
 * After a burst V8 keeps the pages of its heap for the next one: 300 callers that read slowly raised the process from 240 to 760 MB, of
 * which the heap was 97, and it kept them. A collection returns them (647 to 264 MB). It takes 0.3 s of CPU, so it
 * waits for a quiet minute.
 */
export function returnMemory(log: FastifyBaseLogger): { stop(): void } {
  const check = createMemoryCheck();
  let last = performance.eventLoopUtilization();
  const timer = setInterval(
    () => void step().catch((err) => log.warn({ err }, 'memory could not be returned')),
    EVERY_MS,
  );
  timer.unref();

  async function step(): Promise<void> {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const { rss, heapTotal, external } = process.memoryUsage();
    if (!check.isDue({ residentBytes: rss, usedBytes: heapTotal + external, utilization })) return;
    await collectGarbage();
    const after = process.memoryUsage.rss();
    check.collected(after);
    log.info({ fromBytes: rss, toBytes: after }, 'memory returned');
  }

  return { stop: () => clearInterval(timer) };
}
