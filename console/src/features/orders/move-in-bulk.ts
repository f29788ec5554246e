import type { Dukkan } from '@dukkan/sdk';
import { type BulkProgress, type BulkRun, runInBulk } from './bulk-runner.ts';
import { type Move, storedWord } from './moves.ts';

/** Small enough for visible progress even when every order waits for its channel. */
const AT_ONCE = 8;

export function moveInBulk(api: Dukkan, ids: readonly string[], to: Move, run: BulkRun): Promise<BulkProgress> {
  const move = async (group: readonly string[]) => {
    const updates = group.map((id) => ({ id, order_status: storedWord(to) }));
    return (await api.call('advanceOrders', { body: { updates } })).data.errors;
  };
  return runInBulk(ids, AT_ONCE, move, run);
}
