import type { Extent } from '../../../ui/list/index.ts';

/** Of the answers that name their page size. */
export function extentOfItems(answer: { items: readonly unknown[]; perPage: number; totalItems: number }): Extent {
  return { shown: answer.items.length, total: answer.totalItems, perPage: answer.perPage };
}
