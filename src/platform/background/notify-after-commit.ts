import type { Notifier } from './notifier.ts';

/** Runs a write and rings once it has committed; what fails rings nobody. */
export async function notifyAfterCommit<T>(notifier: Pick<Notifier, 'notify'>, write: () => Promise<T>): Promise<T> {
  const written = await write();
  notifier.notify();
  return written;
}
