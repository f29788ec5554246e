import type { Reader } from '../../platform/inbound/index.ts';
import { add, type Decimal, decimal, divide, multiply, sum, ZERO } from '../../platform/money.ts';
import type { ChannelLine } from '../contract.ts';

/** A modifier's price and number are of one piece of what it modifies. */
export function toLine(item: Reader, amount: (place: Reader) => Decimal): ChannelLine {
  const quantity = item.at('quantity').getDecimal();
  const modifiers = item.at('modifiers').list();
  const extras = sum(
    modifiers.map((modifier) =>
      multiply(amount(modifier.at('base_price_money')), modifier.at('quantity').findDecimal() ?? ONE),
    ),
  );
  const names = [item.at('variation_name'), ...modifiers.map((modifier) => modifier.at('name'))]
    .map((name) => name.findText())
    .filter((name) => name !== undefined && name !== 'Regular');
  const name = item.at('name').findText() ?? item.at('note').findText();
  return {
    productId: item.at('catalog_object_id').findId() ?? item.at('uid').findId() ?? name?.slice(0, 200) ?? '',
    name: names.length === 0 ? name : `${name ?? ''} (${names.join(', ')})`.trim(),
    quantity,
    unitPrice: add(priceOfOne(item, quantity, amount), extras),
  };
}

const ONE = decimal(1);

function priceOfOne(item: Reader, quantity: Decimal, amount: (place: Reader) => Decimal): Decimal {
  if (item.at('base_price_money').isThere() || quantity.units === 0n) return amount(item.at('base_price_money'));
  const all = item.at('variation_total_price_money').isThere() ? 'variation_total_price_money' : 'gross_sales_money';
  return item.at(all).isThere() ? divide(amount(item.at(all)), quantity, UNIT_PRICE_DIGITS) : ZERO;
}

/** Enough for the price of one out of a thousand, times a thousand, to come out to the halala. */
const UNIT_PRICE_DIGITS = 6;
