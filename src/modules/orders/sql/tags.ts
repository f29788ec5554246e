import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { OrderOwner } from '../ordering.ts';
import type { OrderKey } from './find-orders.ts';

/** A tag as written, and its folded text. */
export type OrderTag = { tag: string; key: string };

export async function listTags(sql: Queryable, { organizationId, id }: OrderKey): Promise<string[]> {
  const rows = await sql<{ tag: string }[]>`
    select tag from order_tags where organization_id = ${organizationId} and order_id = ${id} order by position`;
  return rows.map(({ tag }) => tag);
}

export type TaggedOrder = { orderId: string; tags: readonly OrderTag[] };

/** Two statements and not one: the second of two data-modifying parts of one statement does not see what the first deleted. */
export async function replaceTags(tx: Tx, organizationId: string, orders: readonly TaggedOrder[]): Promise<void> {
  await tx`
    delete from order_tags
    where organization_id = ${organizationId} and order_id = any(${orders.map(({ orderId }) => orderId)}::uuid[])`;
  const rows = orders.flatMap(({ orderId, tags }) =>
    tags.map(({ tag, key }, position) => ({
      organization_id: organizationId,
      order_id: orderId,
      tag_key: key,
      tag,
      position,
    })),
  );
  if (rows.length > 0) await tx`insert into order_tags ${tx(rows)}`;
}

/** The most used tags with the number of their orders, in the spelling that most orders have. */
export function countOrdersByTag(
  sql: Queryable,
  { organizationId, branchId }: OrderOwner,
  limit: number,
): Promise<{ tag: string; orders: number }[]> {
  const ofBranch =
    branchId === null
      ? sql``
      : sql`join orders o on o.organization_id = t.organization_id and o.id = t.order_id and o.destination_id = ${branchId}`;
  return sql<{ tag: string; orders: number }[]>`
    select mode() within group (order by t.tag) as tag, count(*) as orders
    from order_tags t ${ofBranch}
    where t.organization_id = ${organizationId}
    group by t.tag_key order by orders desc, t.tag_key limit ${limit}`;
}
