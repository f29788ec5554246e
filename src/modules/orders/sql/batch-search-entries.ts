import type { Tx } from '../../../platform/database/index.ts';

/**
 * For thousands of orders in one transaction. The search index usually merges new entries every half megabyte, so that no single
 * order waits long; for an import, that is two fifths of the total work (280 against 170 us per order). Set for this
 * transaction only. Rejected: the setting of the index itself, because changing it blocks every reader of orders.
 */
export async function batchSearchEntries(tx: Tx): Promise<void> {
  await tx`select set_config('gin_pending_list_limit', '8MB', true)`;
}

export async function mergeSearchEntries(tx: Tx): Promise<void> {
  await tx`select gin_clean_pending_list('orders_search')`;
}
