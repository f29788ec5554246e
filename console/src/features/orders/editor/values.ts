import { parseAbsolute, parseDateTime, toCalendarDateTime } from '@internationalized/date';
import { readNumber } from '../../../i18n/read-number.ts';
import { linesOf, type OrderChange, type StoredLine, type StoredOrder } from './stored-order.ts';

export const FULFILLMENT_METHODS = ['delivery', 'pickup', 'shipping'] as const;
export const PAYMENT_METHODS = ['cash', 'credit_card', 'debit_card', 'bank_transfer', 'wallet'] as const;

/** A line of the form. `stored` has the fields that the form does not show. */
export type LineValues = { stored: StoredLine; quantity: string; price: string };

/** The fields of an order as they are typed. */
export type OrderValues = {
  /** The id of a branch, or none. */
  branch: string;
  customerName: string;
  customerPhone: string;
  customerEmail: string;
  receiverName: string;
  receiverPhone: string;
  /** The texts of an address by the names that its source gave them. */
  address: Record<string, string>;
  fulfillmentMethod: string;
  /** `2026-11-18T19:30` in the organization's time zone. */
  promised: string;
  lines: LineValues[];
  discount: string;
  deliveryFee: string;
  serviceFee: string;
  comment: string;
};

const EMPTY_ADDRESS = { street: '', city: '' };
const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : '');
const feeText = (amount: number) => (amount === 0 ? '' : String(amount));

export const EMPTY_VALUES: OrderValues = {
  branch: '',
  customerName: '',
  customerPhone: '',
  customerEmail: '',
  receiverName: '',
  receiverPhone: '',
  address: EMPTY_ADDRESS,
  fulfillmentMethod: 'delivery',
  promised: '',
  lines: [],
  discount: '',
  deliveryFee: '',
  serviceFee: '',
  comment: '',
};

export function valuesOf(order: StoredOrder, timeZone: string): OrderValues {
  const parts = Object.entries(order.shipping_address ?? {}).filter(([, part]) => typeof part === 'string');
  return {
    branch: order.destination_id ?? '',
    customerName: order.customer_name ?? '',
    customerPhone: order.customer_phone ?? '',
    customerEmail: order.customer_email ?? '',
    receiverName: order.receiver_name ?? '',
    receiverPhone: order.receiver_phone ?? '',
    address: parts.length === 0 ? EMPTY_ADDRESS : (Object.fromEntries(parts) as Record<string, string>),
    fulfillmentMethod: order.fulfillment_method ?? '',
    promised:
      order.promised_for === null
        ? ''
        : toCalendarDateTime(parseAbsolute(order.promised_for, timeZone)).toString().slice(0, 16),
    lines: linesOf(order).map((stored) => ({
      stored,
      quantity: textOf(stored.quantity ?? 1),
      price: textOf(stored.price),
    })),
    discount: feeText(order.discounts_amount),
    deliveryFee: feeText(order.delivery_fee),
    serviceFee: feeText(order.service_fee),
    comment: order.comment ?? '',
  };
}

/** What is wrong with the form, by field: `lines`, `lines.0.quantity`, `discount`. */
export type Faults = Partial<Record<string, 'quantity' | 'price' | 'amount' | 'lines' | 'branch'>>;

export function faultsOf(values: OrderValues): Faults {
  const faults: Faults = {};
  if (values.lines.length === 0) faults.lines = 'lines';
  values.lines.forEach((line, index) => {
    if (!((readNumber(line.quantity) ?? 0) > 0)) faults[`lines.${index}.quantity`] = 'quantity';
    if (!((readNumber(line.price) ?? -1) >= 0)) faults[`lines.${index}.price`] = 'price';
  });
  for (const field of ['discount', 'deliveryFee', 'serviceFee'] as const) {
    if (values[field].trim() !== '' && !((readNumber(values[field]) ?? -1) >= 0)) faults[field] = 'amount';
  }
  return faults;
}

const amountIn = (text: string) => readNumber(text) ?? 0;
const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

export const productsOf = (lines: readonly LineValues[]): StoredLine[] =>
  lines.map(({ stored, quantity, price }) => ({ ...stored, quantity: amountIn(quantity), price: amountIn(price) }));

export function addressOf(parts: Record<string, string>, before: Record<string, unknown> | null = null) {
  const written = Object.entries(parts).filter(([, part]) => part.trim() !== '');
  const others = Object.entries(before ?? {}).filter(([, part]) => typeof part !== 'string');
  return written.length === 0 ? null : Object.fromEntries([...written, ...others]);
}

export const promisedOf = (text: string, timeZone: string) =>
  text === '' ? null : parseDateTime(text).toDate(timeZone).toISOString();

/** The stored fields that differ between two states of the form. What was not touched is not part of it. */
export function changeOf(
  before: OrderValues,
  after: OrderValues,
  { order, timeZone }: { order: StoredOrder; timeZone: string },
): OrderChange {
  const isChanged = (field: keyof OrderValues) => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  return {
    ...(isChanged('branch') && { destination_id: orNull(after.branch) }),
    ...(isChanged('customerName') && { customer_name: orNull(after.customerName) }),
    ...(isChanged('customerPhone') && { customer_phone: orNull(after.customerPhone) }),
    ...(isChanged('customerEmail') && { customer_email: orNull(after.customerEmail) }),
    ...(isChanged('receiverName') && { receiver_name: orNull(after.receiverName) }),
    ...(isChanged('receiverPhone') && { receiver_phone: orNull(after.receiverPhone) }),
    ...(isChanged('address') && { shipping_address: addressOf(after.address, order.shipping_address) }),
    ...(isChanged('fulfillmentMethod') && { fulfillment_method: orNull(after.fulfillmentMethod) }),
    ...(isChanged('promised') && { promised_for: promisedOf(after.promised, timeZone) }),
    ...(isChanged('comment') && { comment: orNull(after.comment) }),
    ...(isChanged('lines') && { products: productsOf(after.lines) }),
    ...(isChanged('discount') && { discounts_amount: amountIn(after.discount) }),
    ...(isChanged('deliveryFee') && { delivery_fee: amountIn(after.deliveryFee) }),
    ...(isChanged('serviceFee') && { service_fee: amountIn(after.serviceFee) }),
  };
}

/** The SKUs of another branch for the same products, where the lines name SKUs of the catalog. */
export function linesAt(lines: readonly LineValues[], fromIvId: string, toIvId: string): LineValues[] {
  return lines.map((line) => {
    const { product_id, sku_id } = line.stored;
    if (sku_id !== `${product_id}_${fromIvId}`) return line;
    return { ...line, stored: { ...line.stored, sku_id: `${product_id}_${toIvId}` } };
  });
}
