export type BulkProgress = { done: number; changed: string[]; refused: Map<string, string> };

export type BulkRun = {
  onProgress(progress: BulkProgress): void;
  signal: AbortSignal;
  explain(error: unknown): string;
};

/**
 * Changes orders in groups, so that progress is visible and it can be stopped in between. `change` returns the refusals of a group by order.
 * If it fails, the group is refused with that error and the rest is not tried: the same error would stop them too.
 */
export async function runInBulk(
  ids: readonly string[],
  groupSize: number,
  change: (group: readonly string[]) => Promise<Readonly<Record<string, string>>>,
  { onProgress, signal, explain }: BulkRun,
): Promise<BulkProgress> {
  const changed: string[] = [];
  const refused = new Map<string, string>();
  let done = 0;
  while (done < ids.length && !signal.aborted) {
    const group = ids.slice(done, done + groupSize);
    done += group.length;
    try {
      const errors = await change(group);
      for (const id of group) {
        const why = errors[id];
        if (why === undefined) changed.push(id);
        else refused.set(id, why);
      }
      onProgress({ done, changed, refused });
    } catch (error) {
      for (const id of group) refused.set(id, explain(error));
      break;
    }
  }
  return { done, changed, refused };
}
