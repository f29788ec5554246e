import { type AddedUp, amountsDiffer } from './order.ts';

/**
 * For vendors whose shops choose whether prices are shown with VAT, and whose payload does not tell: the total does. It
 * comes on top unless the parts are whole without it.
 */
export function withVatPlaced<Order extends AddedUp>(order: Order, currency: string): Order {
  if (!amountsDiffer({ ...order, isVatIncluded: false }, currency)) return { ...order, isVatIncluded: false };
  return { ...order, isVatIncluded: !amountsDiffer({ ...order, isVatIncluded: true }, currency) };
}
