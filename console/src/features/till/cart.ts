import type { Schemas } from '@dukkan/sdk';
import { readNumber } from '../../i18n/read-number.ts';

export type CartLine = {
  sku: string;
  name_en: string;
  name_ar: string;
  price: number;
  quantity: number;
  /** The stock when it was added; the service checks it at the sale. */
  stock: number;
};

const QUANTITY_DIGITS = 1e6;
const roundQuantity = (quantity: number) => Math.round(quantity * QUANTITY_DIGITS) / QUANTITY_DIGITS;

/** Increments an existing line, or adds a new one. */
export function withAdded(lines: readonly CartLine[], sku: Schemas['Sku'], quantity: number): CartLine[] {
  const found = lines.findIndex((line) => line.sku === sku.iv_id);
  if (found === -1) {
    const { iv_id, name_en, name_ar, effective_price, current_qty } = sku;
    return [...lines, { sku: iv_id, name_en, name_ar, price: effective_price, quantity, stock: current_qty }];
  }
  return lines.map((line, index) =>
    index === found ? { ...line, quantity: roundQuantity(line.quantity + quantity), stock: sku.current_qty } : line,
  );
}

/** A quantity of 0 removes the line. */
export function withQuantity(lines: readonly CartLine[], sku: string, quantity: number): CartLine[] {
  return lines.flatMap((line) =>
    line.sku !== sku ? [line] : quantity > 0 ? [{ ...line, quantity: roundQuantity(quantity) }] : [],
  );
}

/** Undoes a removal: lines that have been added again meanwhile get the quantity on top. */
export function withRestored(lines: readonly CartLine[], removed: readonly CartLine[]): CartLine[] {
  const back = new Map(removed.map((line) => [line.sku, line]));
  const grown = lines.map((line) => {
    const { quantity = 0 } = back.get(line.sku) ?? {};
    back.delete(line.sku);
    return { ...line, quantity: roundQuantity(line.quantity + quantity) };
  });
  return [...grown, ...back.values()];
}

export type Sums = { subtotal: number; discount: number | undefined; total: number };

/** Calculated as the service does: each line is rounded. Undefined for an invalid discount. */
export function sumsOf(lines: readonly CartLine[], discountText: string, digits: number): Sums {
  const unit = 10 ** digits;
  const minor = lines.reduce((sum, { price, quantity }) => sum + Math.round(price * quantity * unit + 1e-6), 0);
  const discount = discountIn(discountText, minor, unit);
  return {
    subtotal: minor / unit,
    discount: discount === undefined ? undefined : discount / unit,
    total: (minor - (discount ?? 0)) / unit,
  };
}

function discountIn(text: string, subtotal: number, unit: number): number | undefined {
  const written = text.trim();
  if (written === '') return 0;
  const percent = /[%٪]$/.test(written);
  const value = readNumber(written.replace(/[%٪]/g, ''));
  if (value === undefined || value < 0) return undefined;
  const discount = percent ? Math.round((subtotal * value) / 100) : Math.round(value * unit);
  return discount <= subtotal ? discount : undefined;
}

export const lineTotal = ({ price, quantity }: CartLine, digits: number) =>
  Math.round(price * quantity * 10 ** digits + 1e-6) / 10 ** digits;

/** Banknotes a customer is likely to pay with: the next one of each kind. */
export function likelyNotes(total: number): number[] {
  const notes = [5, 10, 50, 100, 200, 500].map((note) => Math.ceil(total / note) * note).filter((sum) => sum > total);
  return [...new Set(notes)].toSorted((one, other) => one - other).slice(0, 3);
}
