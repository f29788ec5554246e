import { localDay } from '../../platform/local-day.ts';
import { customerIdOf } from '../customers/index.ts';
import type { CountedOrder } from '../orders/index.ts';

/** The branch id of orders without a branch. */
export const NO_BRANCH = '00000000-0000-0000-0000-000000000000';

/** What one order adds to the sales, stored so that it can be subtracted again. */
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

/** An order at a position of the feed. */
export type OrderState = { organizationId: string; position: number; isDeleted: boolean; order: CountedOrder };

/** An order counts on the day of its creation in the organization's time zone, as in the order list. */
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
    customer_name: trimmed(order.customer.name),
    customer_phone: trimmed(order.customer.phone),
    customer_email: trimmed(order.customer.email),
    currency: order.amounts.currency,
    is_cancelled: order.status === 'cancelled',
    is_refunded: order.payment.status === 'refunded',
    amount: order.amounts.total,
    // Lines of one SKU are added up in the database, where sums of decimals are exact.
    line_products: order.lines.map((line) => line.product_id),
    line_skus: order.lines.map((line) => line.sku_id),
    line_units: order.lines.map((line) => line.quantity),
    line_revenues: order.lines.map((line) => line.total),
    line_firsts: firstsOf(order.lines),
  };
}

function trimmed(text: string | null): string | null {
  return text?.trim() || null;
}

/** For each line, whether it is the first of its SKU. */
function firstsOf(lines: CountedOrder['lines']): boolean[] {
  const seen = new Set<string>();
  return lines.map(({ product_id, sku_id }) => {
    const key = JSON.stringify([product_id, sku_id]);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Cancelled and refunded orders count as orders, but not as sales. */
export function isSold(contribution: Contribution): boolean {
  return !contribution.is_cancelled && !contribution.is_refunded;
}

/** Most events change a status and not the contribution. Those need no statement. */
export function addsTheSame(one: Contribution, other: Contribution): boolean {
  return addedBy(one) === addedBy(other);
}

function addedBy({ organization_id, order_id, position, ...added }: Contribution): string {
  return JSON.stringify(Object.entries(added).sort(([one], [other]) => (one < other ? -1 : 1)));
}
