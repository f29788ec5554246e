import type { Reader } from '../../platform/inbound/index.ts';
import { add, compare, type Decimal, multiply, sum, ZERO } from '../../platform/money.ts';
import { type ChannelLine, nameWith, ONE, priceOfOne } from '../contract.ts';

/** Of a product: void, declined. It was on the order once and is not sold. */
const NOT_SOLD = new Set(['5', '7']);

type Lines = { lines: ChannelLine[]; subtotal: Decimal; discountsAmount: Decimal; vatAmount: Decimal };

/** What was sold: products with their options, and combos as one thing each, whatever they are made of. */
export function linesOf(order: Reader): Lines {
  const products = soldOf(order.at('products').list());
  const combos = order.at('combos').list();
  const inCombos = combos.flatMap((combo) => soldOf(combo.at('products').list()));
  const lines = [...products.map(toLine), ...combos.map(toComboLine)];
  return {
    lines,
    subtotal: sum([...products, ...inCombos].map((product) => multiply(unitPriceOf(product), quantityOf(product)))),
    discountsAmount: sum([...products.map(discountOf), ...combos.map(comboDiscountOf)]),
    vatAmount: sum(
      [...products, ...inCombos].flatMap((product) => [
        ...taxAmountsOf(product),
        ...product.at('options').list().flatMap(taxAmountsOf),
      ]),
    ),
  };
}

/** An answer has a tax's amount in `pivot`, what an application sent has it beside the rate. */
export function taxAmountsOf(taxed: Reader): Decimal[] {
  return taxed
    .at('taxes')
    .list()
    .map((tax) => tax.at('pivot', 'amount').findDecimal() ?? tax.at('amount').findDecimal() ?? ZERO);
}

/** Of an order that was voided as a whole, all is kept: it says what was to be sold. */
function soldOf(products: Reader[]): Reader[] {
  const sold = products.filter((product) => !NOT_SOLD.has(product.at('status').findText() ?? ''));
  return sold.length > 0 ? sold : products;
}

function toLine(product: Reader): ChannelLine {
  const item = product.at('product');
  return {
    productId: item.at('id').findId() ?? product.at('product_id').findId() ?? product.at('id').getId(),
    sku: item.at('sku').findText(),
    barcode: item.at('barcode').findText(),
    name: nameWith(item.at('name').findText(), product.at('options').list().map(optionName)),
    quantity: quantityOf(product),
    unitPrice: unitPriceOf(product),
  };
}

function toComboLine(combo: Reader): ChannelLine {
  const size = combo.at('combo_size');
  const products = combo.at('products').list();
  const quantity = quantityOf(combo);
  const price = sum(products.map((product) => multiply(unitPriceOf(product), quantityOf(product))));
  return {
    productId:
      size.at('combo', 'id').findId() ??
      size.at('id').findId() ??
      combo.at('combo_size_id').findId() ??
      combo.at('id').getId(),
    sku: size.at('combo', 'sku').findText(),
    barcode: size.at('combo', 'barcode').findText(),
    name: nameWith(size.at('combo', 'name').findText(), [
      size.at('name').findText(),
      ...products.flatMap((product) => [
        product.at('product', 'name').findText(),
        ...product.at('options').list().map(optionName),
      ]),
    ]),
    quantity,
    unitPrice: priceOfOne(price, quantity),
  };
}

/** An option's number is of one piece of its product, and so is its price here; its `total_price` is of all pieces. */
function unitPriceOf(product: Reader): Decimal {
  const options = product
    .at('options')
    .list()
    .map((option) => multiply(option.at('unit_price').findDecimal() ?? ZERO, quantityOf(option)));
  return add(product.at('unit_price').findDecimal() ?? ZERO, sum(options));
}

function quantityOf(sold: Reader): Decimal {
  return sold.at('quantity').findDecimal() ?? ONE;
}

function discountOf(discounted: Reader): Decimal {
  return discounted.at('discount_amount').findDecimal() ?? ZERO;
}

/** A combo's discount stands on the combo, or on what it is made of. */
function comboDiscountOf(combo: Reader): Decimal {
  const own = discountOf(combo);
  return compare(own, ZERO) === 0 ? sum(soldOf(combo.at('products').list()).map(discountOf)) : own;
}

function optionName(option: Reader): string | undefined {
  const name = option.at('modifier_option', 'name').findText();
  const quantity = option.at('quantity').findText() ?? '1';
  return name === undefined || quantity === '1' ? name : `${quantity} × ${name}`;
}
