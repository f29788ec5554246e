import type { Schemas } from '@dukkan/sdk';
import { digitsOf } from '../../../i18n/currency-digits.ts';
import { amountsOf, type TaxMode } from './amounts.ts';

export type StoredOrder = Schemas['Order'];
export type StoredLine = Record<string, unknown> & { product_id: string; sku_id: string };
export type Replacement = Schemas['OrderReplacement'];

const numberOr = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback);

export const linesOf = (order: StoredOrder) => order.products as StoredLine[];

/** How the figures of the order add up. Without VAT it stays without. */
export function taxModeOf(order: StoredOrder): TaxMode {
  if (order.vat_amount === 0) return 'none';
  const { subtotal, discounts_amount, delivery_fee, service_fee, total_amount, vat_amount } = order;
  const goods = subtotal === 0 ? goodsOf(order) : subtotal;
  const withoutVat = goods - discounts_amount + delivery_fee + service_fee;
  const isAdded = Math.abs(withoutVat + vat_amount - total_amount) < 0.005;
  return isAdded ? 'added' : 'included';
}

const goodsOf = (order: StoredOrder) =>
  linesOf(order).reduce((sum, line) => sum + numberOr(line.price, 0) * numberOr(line.quantity, 1), 0);

/** The VAT rate of a line. */
export type PercentOf = (line: StoredLine) => number;

const AMOUNT_FIELDS = ['products', 'discounts_amount', 'delivery_fee', 'service_fee'] as const;
export type OrderChange = Partial<
  Pick<
    StoredOrder,
    | 'destination_id'
    | 'customer_name'
    | 'customer_phone'
    | 'customer_email'
    | 'receiver_name'
    | 'receiver_phone'
    | 'shipping_address'
    | 'fulfillment_method'
    | 'promised_for'
    | 'comment'
    | 'products'
    | 'discounts_amount'
    | 'delivery_fee'
    | 'service_fee'
  >
>;

/**
 * The latest version with the change in it. Its amounts are computed anew when something that they come from has changed. `branchIvId` is
 * that of the branch in the change.
 */
export function replacementOf(
  latest: StoredOrder,
  change: OrderChange,
  { branchIvId, percentOf }: { branchIvId: string | undefined; percentOf: PercentOf },
): Replacement {
  const merged: StoredOrder = { ...latest, ...change };
  const isRepriced = AMOUNT_FIELDS.some((field) => field in change);
  const { id, organization_id, order_code, store_name, created_at, updated_at, destination_id, ...fields } = merged;
  return {
    ...fields,
    destination: destination_id,
    ...('destination_id' in change && { destination_reference: branchIvId ?? null }),
    ...('products' in change && { skus: linesOf(merged).map(({ sku_id }) => sku_id) }),
    ...(isRepriced && amountFieldsOf(merged, taxModeOf(latest), percentOf)),
  } as Replacement;
}

export function amountFieldsOf(order: StoredOrder, mode: TaxMode, percentOf: PercentOf) {
  const lines = linesOf(order).map((line) => ({
    price: numberOr(line.price, 0),
    quantity: numberOr(line.quantity, 1),
    vatPercent: percentOf(line),
  }));
  const { subtotal, vat, total } = amountsOf(
    {
      lines,
      discount: order.discounts_amount,
      deliveryFee: order.delivery_fee,
      serviceFee: order.service_fee,
    },
    mode,
    digitsOf(order.currency),
  );
  return { subtotal, vat_amount: vat, total_amount: total };
}
