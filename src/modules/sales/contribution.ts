import { localDay } from '../../platform/local-day.ts';
import { customerIdOf } from '../customers/index.ts';
import type { CountedOrder } from '../orders/index.ts';

/** In place of a branch that an order does not have. */
export const NO_BRANCH = '00000000-0000-0000-0000-000000000000';

/** What one order adds to the sales, as it is kept to be taken out again. */
export type Contribution = {
  organization_id: string;
  order_id: string;
  position: number;
  is_deleted: boolean;
  created_at: string;
  local_day: string;
  app_slug: string;
  branch_id: string;
  customer_id: string | null;
  customer_name: string | null;
  customer_phone: string | null;
  customer_email: string | null;
  currency: string;
  is_cancelled: boolean;
  is_refunded: boolean;
  amount: number;
  line_products: string[];
  line_skus: string[];
  line_units: number[];
  line_revenues: number[];
  line_firsts: boolean[];
};

/** An order as of one place in the feed. */
export type OrderState = { organizationId: string; position: number; isDeleted: boolean; order: CountedOrder };

/** Days are those of creation: a day's orders are what the order list shows between its two midnights. */
export function contributionOf(state: OrderState, timeZone: string): Contribution {
  const { organizationId, position, isDeleted, order } = state;
  return {
    organization_id: organizationId,
    order_id: order.id,
    position,
    is_deleted: isDeleted,
    created_at: order.created_at,
    local_day: localDay(new Date(order.created_at), timeZone),
    app_slug: order.channel.app_slug,
    branch_id: order.branch.id ?? NO_BRANCH,
    customer_id: customerIdOf(organizationId, order.customer),
    customer_name: spoken(order.customer.name),
    customer_phone: spoken(order.customer.phone),
    customer_email: spoken(order.customer.email),
    currency: order.amounts.currency,
    is_cancelled: order.status === 'cancelled',
    is_refunded: order.payment.status === 'refunded',
    amount: order.amounts.total,
    // Lines of one SKU are not added up here but in the database, where sums of decimals are exact.
    line_products: order.lines.map((line) => line.product_id),
    line_skus: order.lines.map((line) => line.sku_id),
    line_units: order.lines.map((line) => line.quantity),
    line_revenues: order.lines.map((line) => line.total),
    line_firsts: firstsOf(order.lines),
  };
}

function spoken(text: string | null): string | null {
  return text?.trim() || null;
}

/** Which lines are the first of their SKU. */
function firstsOf(lines: CountedOrder['lines']): boolean[] {
  const seen = new Set<string>();
  return lines.map(({ product_id, sku_id }) => {
    const key = JSON.stringify([product_id, sku_id]);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Cancelled and refunded orders count as orders, but nothing was sold by them. */
export function isSold(contribution: Contribution): boolean {
  return !contribution.is_cancelled && !contribution.is_refunded;
}

/** Most events move an order along without changing what it adds; those need no statement at all. */
export function addsTheSame(one: Contribution, other: Contribution): boolean {
  return addedBy(one) === addedBy(other);
}

function addedBy({ organization_id, order_id, position, ...added }: Contribution): string {
  return JSON.stringify(Object.entries(added).sort(([one], [other]) => (one < other ? -1 : 1)));
}
