import { Session } from 'node:inspector/promises';

/**
 * A full collection now. V8 collects only while something allocates: a process that made much garbage and is idle afterwards would keep
 * it. After the demo that is 165 MB of heap, and 320 MB of RSS with the pages that V8 holds for reuse.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
