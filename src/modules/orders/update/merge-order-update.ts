import { findDecimal, roundToCurrency, toNumber } from '../../../platform/money.ts';
import type { Order, OrderBranch } from '../order.ts';
import { fieldOf, INPUT_FIELD_NAMES, type InputFieldName, type ORDER_FIELDS } from '../order-fields.ts';
import type { OrderInput } from '../schema.ts';
import { compileShown } from '../show-fields.ts';

type AmountField = {
  [Name in InputFieldName]: (typeof ORDER_FIELDS)[Name]['type'] extends 'amount' ? Name : never;
}[InputFieldName];
const AMOUNTS = INPUT_FIELD_NAMES.filter((name) => fieldOf(name).type === 'amount') as AmountField[];

/** Fields that the payload contains replace the stored ones. All others stay. */
export function mergedInput(before: Order, mentioned: Partial<OrderInput>): OrderInput {
  const currency = mentioned.currency ?? before.currency;
  const input: OrderInput = { source: before.source, ...inputOf(before), ...mentioned };
  for (const name of AMOUNTS) {
    const amount = mentioned[name];
    // A payload without a currency is in the currency of the order, which decides the number of decimals.
    if (amount !== undefined && amount !== null) input[name] = inCurrency(amount, currency);
  }
  return input;
}

function inCurrency(amount: number, currency: string): number {
  const exact = findDecimal(String(amount));
  return exact === undefined ? amount : toNumber(roundToCurrency(exact, currency));
}

/** A payload without a store keeps the branch of the order. An order without a branch gets that of the install. */
export function mergedBranch(before: Order, branch: OrderBranch | undefined, isStoreNamed: boolean): OrderBranch {
  const stored = { destinationId: before.destination_id, storeName: before.store_name };
  return branch === undefined || (!isStoreNamed && before.destination_id !== null) ? stored : branch;
}

/** The stored order as the request body that would have made it. */
const inputOf = compileShown({
  order_status: 'order_status',
  fulfillment_status: 'fulfillment_status',
  fulfillment_method: 'fulfillment_method',
  payment_method: 'payment_method',
  currency: 'currency',
  skus: 'skus',
  products: 'products',
  ...(Object.fromEntries(INPUT_FIELD_NAMES.map((name) => [name, name])) as { [Name in InputFieldName]: Name }),
}) as (order: Order) => Omit<OrderInput, 'source' | 'destination' | 'payment_status'>;
