import { type Decimal, multiply, roundToCurrency, toText } from '../../platform/money.ts';

export type LineItem = { sku: string; name: string; quantity: Decimal; price: Decimal };

export type WholeItem = { sku: string; name: string; quantity: number; unitPrice: Decimal };

/**
 * Providers accept whole items only, and at least one: half a kilo becomes one item with half the price, and an amount without
 * items becomes one item.
 */
export function toWholeItems({
  ownId,
  amount,
  currency,
  lineItems,
}: {
  ownId: string;
  amount: Decimal;
  currency: string;
  lineItems: readonly LineItem[];
}): WholeItem[] {
  if (lineItems.length === 0) return [{ sku: ownId, name: ownId, quantity: 1, unitPrice: amount }];
  return lineItems.map(({ sku, name, quantity, price }) => {
    const whole = Number(toText(quantity));
    if (Number.isSafeInteger(whole) && whole > 0)
      return { sku, name, quantity: whole, unitPrice: roundToCurrency(price, currency) };
    const unitPrice = roundToCurrency(multiply(quantity, price), currency);
    return { sku, name: `${name} × ${toText(quantity)}`, quantity: 1, unitPrice };
  });
}
