import { currencyDigits, type Decimal, decimal, multiply, sum, ZERO } from '../../platform/money.ts';
import { canonicalPaymentStatus, canonicalStatus, type Order, type OrderLine } from '../orders/index.ts';
import type { InvoiceRefusal, RefusalSentence } from './invoice-refusal.ts';
import { TILL_CHANNEL } from './till.ts';

/** VAT rates of the catalog in percent, by iv_id of products and of SKUs. */
export type CatalogRates = { products: ReadonlyMap<string, number>; skus: ReadonlyMap<string, number> };

export type OrderPart = {
  line: OrderLine;
  quantity: Decimal;
  price: Decimal;
  /** Price times quantity, unrounded; with or without VAT, as in the order. */
  amount: Decimal;
  /** The line's own rate, which lines of the till have. */
  ownRate: number | undefined;
  catalogRate: number | undefined;
};

export type Fee = { reason: 'Delivery' | 'Service'; amount: Decimal };

/** The figures of an order, each valid by itself; tax-treatment.ts checks that they are consistent. */
export type OrderParts = {
  lines: OrderPart[];
  subtotal: Decimal;
  discount: Decimal;
  fees: Fee[];
  vat: Decimal;
  total: Decimal;
};

export const INVOICE_CURRENCY = 'SAR';
const TOTAL_DIGITS = currencyDigits(INVOICE_CURRENCY);

export function readParts(order: Order, rates: CatalogRates): { parts: OrderParts } | { refusal: InvoiceRefusal } {
  const refused = (error: RefusalSentence, figures: Record<string, unknown>) => ({ refusal: { error, figures } });
  const { order_status, payment_status, currency, total_amount } = order;
  if (canonicalStatus(order_status) === 'cancelled') return refused('Order cancelled', { order_status });
  if (canonicalPaymentStatus(payment_status) === 'refunded') return refused('Order refunded', { payment_status });
  if (currency !== INVOICE_CURRENCY) {
    return refused('Currency not supported', { currency, supported: [INVOICE_CURRENCY] });
  }
  if (order.products.length === 0) return refused('Order without lines', { lines: 0 });
  const lines: OrderPart[] = [];
  for (const [index, line] of order.products.entries()) {
    const price = amountIn(line.price);
    // A line without a quantity counts as one piece; the check of the total detects a wrong guess.
    const quantity = amountIn(line.quantity ?? 1);
    if (price === undefined || quantity === undefined) {
      const { price: givenPrice = null, quantity: givenQuantity = null } = line;
      return refused('Line without an amount', { line: index, price: givenPrice, quantity: givenQuantity });
    }
    lines.push({ line, price, quantity, amount: multiply(price, quantity), ...ratesOf(line, rates) });
  }
  const total = amountIn(total_amount);
  // The total of a till sale is computed from its lines, so 0 means free goods.
  if (total === undefined || (total.units === 0n && !isTillSale(order))) {
    return refused('Order without a total', { total_amount });
  }
  if (decimal(total_amount).scale > TOTAL_DIGITS) return refused('Total too precise', { total_amount });
  const fees: Fee[] = [
    { reason: 'Delivery' as const, amount: decimal(order.delivery_fee) },
    { reason: 'Service' as const, amount: decimal(order.service_fee) },
  ].filter(({ amount }) => amount.units !== 0n);
  const parts = {
    lines,
    subtotal: sum(lines.map(({ amount }) => amount)),
    discount: decimal(order.discounts_amount),
    fees,
    vat: decimal(order.vat_amount),
    total,
  };
  return { parts };
}

function isTillSale({ app_slug, organization_app_id }: Order): boolean {
  return app_slug === TILL_CHANNEL.app_slug && organization_app_id === '';
}

function ratesOf(line: OrderLine, { products, skus }: CatalogRates): Pick<OrderPart, 'ownRate' | 'catalogRate'> {
  const own = line.vat_value;
  const isRate = typeof own === 'number' && own >= 0 && own <= 100;
  return {
    ownRate: isRate ? own : undefined,
    catalogRate: products.get(String(line.product_id)) ?? skus.get(String(line.sku_id)),
  };
}

/** Undefined if it is not a number or negative. */
function amountIn(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  return value === 0 ? ZERO : decimal(value);
}
