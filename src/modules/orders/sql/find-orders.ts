import type { Queryable } from '../../../platform/database/index.ts';
import type { Channel, Order } from '../order.ts';
import { orderColumns } from './columns.ts';

export type OrderKey = { organizationId: string; id: string };

export function findOrders(sql: Queryable, keys: OrderKey[]): Promise<Order[]> {
  return sql<Order[]>`
    select ${orderColumns(sql)}
    from unnest(${keys.map((key) => key.organizationId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (organization_id, id)
    join orders o on o.organization_id = k.organization_id and o.id = k.id`;
}

export function findRawPayloads(
  sql: Queryable,
  organizationId: string,
  ids: string[],
): Promise<{ id: string; raw: unknown }[]> {
  return sql<{ id: string; raw: unknown }[]>`
    select id, raw from orders where organization_id = ${organizationId} and id = any(${ids}::uuid[])`;
}

/** The part of an order that sums are made of. */
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

/** Every order of a tenant, page after page in order of id: for what has to see them all. */
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

export function findChannels(sql: Queryable, keys: OrderKey[]): Promise<(Channel & { organization_id: string })[]> {
  return sql<(Channel & { organization_id: string })[]>`
    select a.organization_id, a.id as organization_app_id, a.app_slug, a.family as channel_family, a.kind as channel_kind
    from unnest(${keys.map((key) => key.organizationId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (organization_id, id)
    join app_installs a on a.organization_id = k.organization_id and a.id = k.id`;
}

export function listChannels(
  sql: Queryable,
  organizationId: string,
): Promise<(Channel & { organization_id: string })[]> {
  return sql<(Channel & { organization_id: string })[]>`
    select organization_id, id as organization_app_id, app_slug, family as channel_family, kind as channel_kind
    from app_installs where organization_id = ${organizationId}`;
}
