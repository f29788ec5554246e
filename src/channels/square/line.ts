import type { Reader } from '../../platform/inbound/index.ts';
import { type Decimal, ZERO } from '../../platform/money.ts';
import { type ChannelLine, foldOptions, ONE, priceOfOne } from '../contract.ts';

/** Price and quantity of a modifier are per piece of its item. */
export function toLine(item: Reader, amount: (place: Reader) => Decimal): ChannelLine {
  const quantity = item.at('quantity').getDecimal();
  const modifiers = item.at('modifiers').list();
  const variation = item.at('variation_name').findText();
  const options = modifiers.map((modifier) => ({
    name: modifier.at('name').findText(),
    quantity: modifier.at('quantity').findDecimal() ?? ONE,
    unitPrice: amount(modifier.at('base_price_money')),
  }));
  const name = item.at('name').findText() ?? item.at('note').findText();
  return {
    productId: item.at('catalog_object_id').findId() ?? item.at('uid').findId() ?? name?.slice(0, 200) ?? '',
    quantity,
    ...foldOptions({ name, unitPrice: unitPriceOf(item, quantity, amount) }, [
      // The default name of a single variation carries no information.
      ...(variation === undefined || variation === 'Regular'
        ? []
        : [{ name: variation, quantity: ONE, unitPrice: ZERO }]),
      ...options,
    ]),
  };
}

function unitPriceOf(item: Reader, quantity: Decimal, amount: (place: Reader) => Decimal): Decimal {
  if (item.at('base_price_money').isThere() || quantity.units === 0n) return amount(item.at('base_price_money'));
  const all = item.at('variation_total_price_money').isThere() ? 'variation_total_price_money' : 'gross_sales_money';
  return priceOfOne(amount(item.at(all)), quantity);
}
