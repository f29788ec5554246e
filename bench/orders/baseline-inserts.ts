import { outboxEntry } from '../../src/modules/events/index.ts';
import { DIRECT_CHANNEL, type Order } from '../../src/modules/orders/order.ts';
import { creationOf } from '../../src/modules/orders/order-change.ts';
import { buildOrder } from '../../src/modules/orders/place/build-order.ts';
import type { OrderInput } from '../../src/modules/orders/schema.ts';
import { insertChanges } from '../../src/modules/orders/sql/insert-changes.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { newOrderBody } from './fill.ts';

const NO_BRANCH = { destinationId: null, storeName: null };

function madeOrders(organizationId: string, count: number): Order[] {
  const now = new Date();
  return Array.from({ length: count }, () =>
    buildOrder(organizationId, newOrderBody() as OrderInput, NO_BRANCH, DIRECT_CHANNEL, now),
  );
}

/** The rows of one order and its event, as the driver alone would write them: one statement, one transaction. */
export async function insertPlainly(sql: Sql, organizationId: string, count: number): Promise<void> {
  await insertOrdersPlainly(sql, madeOrders(organizationId, count));
}

export async function insertOrdersPlainly(sql: Sql, orders: Order[], json = JSON.stringify(orders)): Promise<void> {
  const occurredAtUs = BigInt(Date.now()) * 1000n;
  const entries = orders.map((order) => outboxEntry(creationOf(order, occurredAtUs)));
  await sql`
    with placed as (
      insert into orders select * from json_populate_recordset(null::orders, ${json}::text::json)
    ), ${insertChanges(sql, entries)}
    select 1`;
}
