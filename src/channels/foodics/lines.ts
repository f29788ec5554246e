import type { Reader } from '../../platform/inbound/index.ts';
import { add, compare, type Decimal, multiply, sum, ZERO } from '../../platform/money.ts';
import { type ChannelLine, nameWith, ONE, priceOfOne } from '../contract.ts';

/** Product statuses void and declined: the product is not sold. */
const NOT_SOLD = new Set(['5', '7']);

type Lines = { lines: ChannelLine[]; subtotal: Decimal; discountsAmount: Decimal; vatAmount: Decimal };

/** Sold items: products with their options, and each combo as one item. */
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

/** API responses have the amount of a tax in `pivot`, orders of applications beside the rate. */
export function taxAmountsOf(taxed: Reader): Decimal[] {
  return taxed
    .at('taxes')
    .list()
    .map((tax) => tax.at('pivot', 'amount').findDecimal() ?? tax.at('amount').findDecimal() ?? ZERO);
}

/** All items of a voided order are kept, to show what was ordered. */
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

/** Quantity and price of an option are per piece of its product; its `total_price` is for all pieces. */
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

/** The discount of a combo is on the combo or on its products. */
function comboDiscountOf(combo: Reader): Decimal {
  const own = discountOf(combo);
  return compare(own, ZERO) === 0 ? sum(soldOf(combo.at('products').list()).map(discountOf)) : own;
}

function optionName(option: Reader): string | undefined {
  const name = option.at('modifier_option', 'name').findText();
  const quantity = option.at('quantity').findText() ?? '1';
  return name === undefined || quantity === '1' ? name : `${quantity} × ${name}`;
}
