import type { Order } from '../order.ts';

/** In place of every status: the overflow row. Its orders are listed in rare_orders. */
export const OVERFLOW = '';

/** Adds an order to the counts of its tenant and its branch, or removes it. Whether it was in the overflow row, `rare_orders` says. */
export type CountMove = { order: Order; by: 1; isOverflow: boolean } | { order: Order; by: -1 };
