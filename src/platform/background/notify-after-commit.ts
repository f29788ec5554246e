import type { Notifier } from './notifier.ts';

/** Runs a write and notifies after its commit. A failed write notifies no listener. */
export async function notifyAfterCommit<T>(notifier: Pick<Notifier, 'notify'>, write: () => Promise<T>): Promise<T> {
  const written = await write();
  notifier.notify();
  return written;
}
