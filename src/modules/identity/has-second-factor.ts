import type { Tx } from '../../platform/database/index.ts';

/** Taken as given until accounts can have one. */
export async function hasSecondFactor(_tx: Tx, _userId: string): Promise<boolean> {
  return true;
}
