import type { Tx } from '../../platform/database/index.ts';
import { customerWords } from './customer-search.ts';
import { clearCustomers, type WrittenCustomer, writeCustomers } from './sql/customers.ts';
import {
  type CustomerFacts,
  type CustomerKey,
  forgetEmptySpending,
  listSpenders,
  moveSpending,
  readCustomerFacts,
  type SpendingMove,
  sumSpending,
  WHOLE_TENANT,
} from './sql/spending.ts';

/** What one order contributes to its customer. */
export type CustomerShare = {
  organization_id: string;
  /** The zero uuid when the order has no branch. */
  branch_id: string;
  customer_id: string | null;
  currency: string;
  /** 0 for a cancelled or refunded order, which still counts as an order of the customer. */
  spent: number;
};

/**
 * Subtracts the former contributions of orders to their customers and adds the new ones. Call it after the projected orders are
 * written: names, addresses and times are read from them.
 */
export async function moveCustomers(tx: Tx, before: CustomerShare[], after: CustomerShare[]): Promise<void> {
  const moves = [...before.flatMap((share) => movesOf(share, -1)), ...after.flatMap((share) => movesOf(share, 1))];
  if (moves.length === 0) return;
  const keys = distinctKeys(moves);
  // Sent in this order, without waiting for answers in between.
  const [, , facts] = await Promise.all([
    moveSpending(tx, moves),
    before.length === 0 ? undefined : forgetEmptySpending(tx, keys),
    readCustomerFacts(tx, keys),
  ]);
  await writeFacts(tx, facts);
}

const MAX_REFRESHED = 2_000;

/** Recounts the customers of a tenant from its projected orders. */
export async function recountCustomers(tx: Tx, organizationId: string): Promise<void> {
  await clearCustomers(tx, organizationId);
  await sumSpending(tx, organizationId);
  const keys = await listSpenders(tx, organizationId);
  for (let from = 0; from < keys.length; from += MAX_REFRESHED) {
    await writeFacts(tx, await readCustomerFacts(tx, keys.slice(from, from + MAX_REFRESHED)));
  }
}

function writeFacts(tx: Tx, facts: CustomerFacts[]): Promise<void> {
  return writeCustomers(tx, facts.flatMap(customerFrom), facts.filter(isGone));
}

function movesOf({ customer_id, branch_id, spent, ...share }: CustomerShare, orders: 1 | -1): SpendingMove[] {
  if (customer_id === null) return [];
  const move = { ...share, customer_id, orders, amount: spent };
  const ofTenant = { ...move, branch_id: WHOLE_TENANT };
  return branch_id === WHOLE_TENANT ? [ofTenant] : [ofTenant, { ...move, branch_id }];
}

function distinctKeys(moves: SpendingMove[]): CustomerKey[] {
  const keys = new Map<string, CustomerKey>();
  for (const { organization_id, branch_id, customer_id } of moves) {
    keys.set(`${branch_id} ${customer_id} ${organization_id}`, { organization_id, branch_id, customer_id });
  }
  return [...keys.values()];
}

function isGone(facts: CustomerFacts): boolean {
  return facts.last_order_at === null;
}

function customerFrom(facts: CustomerFacts): WrittenCustomer[] {
  const { first_order_at, last_order_at, currency } = facts;
  if (first_order_at === null || last_order_at === null || currency === null) return [];
  const scope = { organizationId: facts.organization_id, branchId: facts.branch_id };
  return [{ ...facts, first_order_at, last_order_at, currency, search_words: customerWords(scope, facts) }];
}
