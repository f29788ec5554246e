import { type AddedUp, amountsDiffer } from './order.ts';

/**
 * For vendors whose payload does not say whether prices include VAT: the total decides. VAT is on top unless the amounts add up
 * without it.
 */
export function withVatPlaced<Order extends AddedUp>(order: Order, currency: string): Order {
  if (!amountsDiffer({ ...order, isVatIncluded: false }, currency)) return { ...order, isVatIncluded: false };
  return { ...order, isVatIncluded: !amountsDiffer({ ...order, isVatIncluded: true }, currency) };
}
