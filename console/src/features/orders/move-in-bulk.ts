import type { Dukkan } from '@dukkan/sdk';
import { type Move, storedWord } from './moves.ts';

/** Small enough for visible progress even when every order waits for its channel. */
const AT_ONCE = 8;

export type BulkProgress = { done: number; moved: string[]; refused: Map<string, string> };

/**
 * In groups, so that progress is visible and it can be stopped in between. If a whole call fails, its group is refused with that
 * error and the rest is not tried: the same error would stop them too.
 */
export async function moveInBulk(
  api: Dukkan,
  ids: readonly string[],
  to: Move,
  {
    onProgress,
    signal,
    explain,
  }: {
    onProgress(progress: BulkProgress): void;
    signal: AbortSignal;
    explain(error: unknown): string;
  },
): Promise<BulkProgress> {
  const moved: string[] = [];
  const refused = new Map<string, string>();
  let done = 0;
  while (done < ids.length && !signal.aborted) {
    const group = ids.slice(done, done + AT_ONCE);
    try {
      const updates = group.map((id) => ({ id, order_status: storedWord(to) }));
      const { data } = await api.call('advanceOrders', { body: { updates } });
      for (const id of group) {
        const why = data.errors[id];
        if (why === undefined) moved.push(id);
        else refused.set(id, why);
      }
      done += group.length;
      onProgress({ done, moved, refused });
    } catch (error) {
      for (const id of group) refused.set(id, explain(error));
      done += group.length;
      break;
    }
  }
  return { done, moved, refused };
}
