import type { Tx } from '../../platform/database/index.ts';
import { customerSearchText } from './identity.ts';
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
  TENANT_FAMILY,
} from './sql/spending.ts';

/** What one order means for the customer who placed it. */
export type CustomerShare = {
  organization_id: string;
  /** The zero uuid where the order has none. */
  branch_id: string;
  customer_id: string | null;
  currency: string;
  /** Nothing for an order that was cancelled or refunded; it still counts as one of theirs. */
  spent: number;
};

/**
 * Takes out what orders meant for customers before and puts in what they mean now. The orders themselves must have been
 * written already: names, addresses and times are read from them.
 */
export async function moveCustomers(tx: Tx, before: CustomerShare[], after: CustomerShare[]): Promise<void> {
  const moves = [...before.flatMap((share) => movesOf(share, -1)), ...after.flatMap((share) => movesOf(share, 1))];
  if (moves.length === 0) return;
  const keys = distinctKeys(moves);
  await moveSpending(tx, moves);
  if (before.length > 0) await forgetEmptySpending(tx, keys);
  await refreshCustomers(tx, keys);
}

const REFRESHED_AT_ONCE = 2_000;

/** A tenant's customers from nothing but its orders as they are projected. */
export async function recountCustomers(tx: Tx, organizationId: string): Promise<void> {
  await clearCustomers(tx, organizationId);
  await sumSpending(tx, organizationId);
  const keys = await listSpenders(tx, organizationId);
  for (let from = 0; from < keys.length; from += REFRESHED_AT_ONCE) {
    await refreshCustomers(tx, keys.slice(from, from + REFRESHED_AT_ONCE));
  }
}

async function refreshCustomers(tx: Tx, keys: CustomerKey[]): Promise<void> {
  const facts = await readCustomerFacts(tx, keys);
  await writeCustomers(tx, facts.flatMap(customerFrom), facts.filter(isGone));
}

function movesOf({ customer_id, branch_id, spent, ...share }: CustomerShare, orders: 1 | -1): SpendingMove[] {
  if (customer_id === null) return [];
  const move = { ...share, customer_id, orders, amount: spent };
  const ofTenant = { ...move, branch_id: TENANT_FAMILY };
  return branch_id === TENANT_FAMILY ? [ofTenant] : [ofTenant, { ...move, branch_id }];
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
  return [{ ...facts, first_order_at, last_order_at, currency, search_text: customerSearchText(facts) }];
}
