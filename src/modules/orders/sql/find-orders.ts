import type { Queryable } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { orderColumns } from './columns.ts';

export type OrderKey = { organizationId: string; id: string };

export function findOrders(sql: Queryable, keys: OrderKey[]): Promise<Order[]> {
  return sql<Order[]>`
    select ${orderColumns(sql)}
    from unnest(${keys.map((key) => key.organizationId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (organization_id, id)
    join orders o on o.organization_id = k.organization_id and o.id = k.id
    ${sql.layout.isDistributed ? sql`where o.organization_id = any(${[...new Set(keys.map((key) => key.organizationId))]}::uuid[])` : sql``}`;
}

export function findRawPayloads(
  sql: Queryable,
  organizationId: string,
  ids: string[],
): Promise<{ id: string; raw: string | null }[]> {
  return sql<{ id: string; raw: string | null }[]>`
    select id, raw::text as raw from orders where organization_id = ${organizationId} and id = any(${ids}::uuid[])`;
}

/** The part of an order that projections aggregate. */
export type OrderFacts = Pick<
  Order,
  | 'id'
  | 'app_slug'
  | 'destination_id'
  | 'order_status'
  | 'payment_status'
  | 'currency'
  | 'total_amount'
  | 'customer_name'
  | 'customer_phone'
  | 'customer_email'
  | 'products'
  | 'created_at'
>;

/** All orders of a tenant in order of id, one page at a time. */
export function listOrderFacts(
  sql: Queryable,
  organizationId: string,
  afterId: string | undefined,
  limit: number,
): Promise<OrderFacts[]> {
  return sql<OrderFacts[]>`
    select id, app_slug, destination_id, order_status, payment_status, currency, total_amount, customer_name,
           customer_phone, customer_email, products, created_at
    from orders
    where organization_id = ${organizationId} ${afterId === undefined ? sql`` : sql`and id > ${afterId}`}
    order by id limit ${limit}`;
}
