import { type Dukkan, DukkanError } from '@dukkan/sdk';
import { type BulkProgress, type BulkRun, runInBulk } from '../bulk-runner.ts';
import { adding, changeTags } from './change-tags.ts';

const AT_ONCE = 4;

/** Adds the tag to each order. An order that is gone or has too many tags is refused alone; other errors end the run. */
export function tagInBulk(api: Dukkan, ids: readonly string[], tag: string, run: BulkRun): Promise<BulkProgress> {
  const addTo = async (id: string): Promise<[string, string][]> => {
    try {
      await changeTags(api, id, adding(tag));
      return [];
    } catch (error) {
      const isOfThisOrder = error instanceof DukkanError && (error.status === 404 || error.status === 422);
      if (!isOfThisOrder) throw error;
      return [[id, run.explain(error)]];
    }
  };
  const addToGroup = async (group: readonly string[]) =>
    Object.fromEntries((await Promise.all(group.map(addTo))).flat());
  return runInBulk(ids, AT_ONCE, addToGroup, run);
}
