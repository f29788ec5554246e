import type { WakeUp } from './wake-up.ts';

/** Runs a write and rings once it has committed; what fails rings nobody. */
export async function ringAfter<T>(wakeUp: Pick<WakeUp, 'ring'>, write: () => Promise<T>): Promise<T> {
  const written = await write();
  wakeUp.ring();
  return written;
}
