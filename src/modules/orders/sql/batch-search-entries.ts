import type { Tx } from '../../../platform/database/index.ts';

/**
 * For thousands of orders in one transaction. The search index usually takes in what is new every half megabyte, so that
 * no single order waits long; in bulk that is two fifths of all the work (280 against 170 us an order). For this
 * transaction only. Rejected: the index's own setting, since to change it locks out every reader of orders.
 */
export async function batchSearchEntries(tx: Tx): Promise<void> {
  await tx`select set_config('gin_pending_list_limit', '8MB', true)`;
}

export async function mergeSearchEntries(tx: Tx): Promise<void> {
  await tx`select gin_clean_pending_list('orders_search')`;
}
