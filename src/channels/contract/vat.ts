import { amountsDiffer, type ChannelOrder } from './order.ts';

/**
 * For vendors whose shops choose whether prices are shown with VAT, and whose payload does not tell: the total does. It
 * comes on top unless the parts are whole without it.
 */
export function withVatPlaced(order: ChannelOrder, currency: string): ChannelOrder {
  if (!amountsDiffer({ ...order, isVatIncluded: false }, currency)) return { ...order, isVatIncluded: false };
  return { ...order, isVatIncluded: !amountsDiffer({ ...order, isVatIncluded: true }, currency) };
}
