import { type Problem, unprocessable } from '../../platform/http/problem.ts';
import {
  add,
  compare,
  currencyDigits,
  type Decimal,
  decimal,
  fromMinorUnits,
  toMinorUnits,
  toNumber,
  toText,
} from '../../platform/money.ts';
import { findBranchLabels, type NamedBranch } from '../branches/index.ts';
import { readOrganizationDefaults } from '../identity/index.ts';
import { type OrderInput, type OrderOwner, type Prepared, prepareOwnOrder, storeNameOf } from '../orders/index.ts';
import { listSaleItems, type SaleItem } from '../skus/index.ts';
import { priceSale, STANDARD_VAT_PERCENT } from './price-sale.ts';
import type { SaleInput, SaleLineInput } from './schema.ts';
import { TILL, TILL_CHANNEL, type Till } from './till.ts';

/** A validated sale that only has to be written. */
export type ReadySale = {
  branchId: string;
  order: Prepared;
  /** Quantity by iv_id of the SKU, as decimal text; lines of one SKU are summed. */
  stock: Map<string, string>;
  /** The first line that names the SKU. */
  lineOf: Map<string, number>;
};

/** A refusal is returned, not thrown: for a repeated Idempotency-Key the stored response takes precedence. */
export type PreparedSale = { sale: ReadySale } | { refusal: Problem };

const MAX_TOTAL = decimal(1e12);
const MAX_QUANTITY_DIGITS = 6;

type Faults = Record<string, string>;
export type Bill = { item: SaleItem; quantity: Decimal; price: Decimal; vatPercent: Decimal }[];

/** Reads everything before the transaction: an open transaction must not wait for a second connection. */
export async function prepareSale(till: Till, owner: OrderOwner, input: SaleInput): Promise<PreparedSale> {
  const { sql } = till;
  const { organizationId } = owner;
  const [[branch], { currency }] = await Promise.all([
    findBranchLabels(sql, [{ organizationId, name: input.branch_iv_id }]),
    readOrganizationDefaults(sql, organizationId),
  ]);
  if (branch === undefined) return refused({ branch_iv_id: 'does not exist' });
  if (owner.branchId !== null && owner.branchId !== branch.id) {
    return refused({ branch_iv_id: 'is not the branch of this account' });
  }
  const items = await listSaleItems(sql, { organizationId, branchId: branch.id }, namesIn(input.lines));
  const bill = readBill(input.lines, items);
  if ('faults' in bill) return refused(bill.faults);
  const order = orderOf(input, bill.lines, currency);
  if ('faults' in order) return refused(order.faults);
  return {
    sale: {
      branchId: branch.id,
      order: await prepareOwnOrder(till.ordering, organizationId, order.order, placeOf(branch), TILL_CHANNEL),
      ...stockOf(bill.lines),
    },
  };
}

const refused = (faults: Faults): PreparedSale => ({ refusal: unprocessable(faults) });

const placeOf = (branch: NamedBranch) => ({ destinationId: branch.id, storeName: storeNameOf(branch) });

function namesIn(lines: readonly SaleLineInput[]): { skuIvIds: string[]; barcodes: string[] } {
  return {
    skuIvIds: lines.flatMap((line) => (line.sku_iv_id ? [line.sku_iv_id] : [])),
    barcodes: lines.flatMap((line) => (line.barcode ? [line.barcode] : [])),
  };
}

function readBill(lines: readonly SaleLineInput[], items: readonly SaleItem[]): { lines: Bill } | { faults: Faults } {
  const byIvId = new Map(items.map((item) => [item.sku_iv_id, item]));
  const byBarcode = new Map(items.flatMap((item) => (item.barcode === '' ? [] : [[item.barcode, item] as const])));
  const faults: Faults = {};
  const bill: Bill = [];
  lines.forEach((line, index) => {
    const { sku_iv_id: ivId, barcode } = line;
    const field = `lines.${index}.${!ivId && barcode ? 'barcode' : 'sku_iv_id'}`;
    const item = ivId ? byIvId.get(ivId) : byBarcode.get(barcode ?? '');
    const quantity = decimal(line.quantity);
    if (!ivId && !barcode) faults[field] = 'is required, or a barcode';
    else if (item === undefined) faults[field] = 'does not exist in this branch';
    else if (ivId && barcode && item.barcode !== barcode) faults[`lines.${index}.barcode`] = 'belongs to another SKU';
    else if (!item.is_enabled) faults[field] = 'is not on sale';
    else if (quantity.scale > MAX_QUANTITY_DIGITS) {
      faults[`lines.${index}.quantity`] = `must have at most ${MAX_QUANTITY_DIGITS} digits behind the point`;
    } else {
      bill.push({ item, quantity, price: decimal(line.price ?? item.price), vatPercent: vatPercentOf(item) });
    }
  });
  return Object.keys(faults).length > 0 ? { faults } : { lines: bill };
}

/** 0 is the default of a product, so it is not taken as a rate: the standard rate applies. */
export function vatPercentOf({ vat_value: percent }: Pick<SaleItem, 'vat_value'>): Decimal {
  return percent === 0 ? STANDARD_VAT_PERCENT : decimal(percent);
}

/** Paid and delivered, with statuses that POST /orders accepts, so that PUT accepts the order unchanged. */
export function orderOf(input: SaleInput, bill: Bill, currency: string): { order: OrderInput } | { faults: Faults } {
  const discount = decimal(input.discounts_amount ?? 0);
  const digits = currencyDigits(currency);
  if (discount.scale > digits) {
    return { faults: { discounts_amount: `must have at most ${digits} digits behind the point` } };
  }
  const discountUnits = toMinorUnits(discount, currency);
  const sale = priceSale(bill, discountUnits, currency);
  const amount = (units: bigint) => toNumber(fromMinorUnits(units, currency));
  if (discountUnits > sale.subtotal) {
    const most = toText(fromMinorUnits(sale.subtotal, currency));
    return { faults: { discounts_amount: `must be at most the sum of the lines, ${most}` } };
  }
  if (compare(fromMinorUnits(sale.subtotal, currency), MAX_TOTAL) > 0) {
    return { faults: { lines: `must add up to at most ${toText(MAX_TOTAL)}` } };
  }
  const { name, phone, email } = input.customer ?? {};
  return {
    order: {
      source: TILL,
      order_status: 'DELIVERED',
      payment_status: 'completed',
      fulfillment_status: 'Full',
      fulfillment_method: 'pickup',
      payment_method: input.payment_method,
      customer_name: name,
      customer_phone: phone,
      customer_email: email,
      skus: [...new Set(bill.map(({ item }) => item.sku_iv_id))],
      products: bill.map(orderLine),
      currency,
      subtotal: amount(sale.subtotal),
      discounts_amount: amount(discountUnits),
      vat_amount: amount(sale.vat),
      total_amount: amount(sale.total),
    },
  };
}

/** Stores the VAT rate and the Arabic name: an invoice needs both, even if the product changes or is deleted. */
function orderLine({ item, quantity, price, vatPercent }: Bill[number]): OrderInput['products'][number] {
  const line = {
    product_id: item.product_iv_id,
    sku_id: item.sku_iv_id,
    name: item.name_en || item.name_ar || item.product_iv_id,
    quantity: toNumber(quantity),
    price: toNumber(price),
    vat_value: toNumber(vatPercent),
  };
  const inArabic = item.name_ar === '' ? {} : { name_ar: item.name_ar };
  return { ...line, ...inArabic };
}

function stockOf(bill: Bill): Pick<ReadySale, 'stock' | 'lineOf'> {
  const wanted = new Map<string, Decimal>();
  const first = new Map<string, number>();
  bill.forEach(({ item: { sku_iv_id: ivId }, quantity }, index) => {
    const sofar = wanted.get(ivId);
    wanted.set(ivId, sofar === undefined ? quantity : add(sofar, quantity));
    if (sofar === undefined) first.set(ivId, index);
  });
  return { stock: new Map([...wanted].map(([ivId, quantity]) => [ivId, toText(quantity)])), lineOf: first };
}
