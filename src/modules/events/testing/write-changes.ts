import { type Sql, weekStart } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { outboxEntry } from '../outbox-entry.ts';

export type WrittenChange = { branchId?: string | null; orderId?: string; bytes?: number; at?: Date };

/** As much of an order as followers look at. */
const order = {
  channel: { app_slug: 'api' },
  status: 'received',
  payment: { status: 'pending' },
  amounts: { currency: 'SAR', total: 25 },
  lines: [],
  branch: { id: null },
  customer: { name: null, phone: null, email: null },
};

/** Changes as their writers leave them in the outbox, without the orders. Returns the ids of those orders. */
export async function writeChanges(sql: Sql, organizationId: string, changes: WrittenChange[]): Promise<string[]> {
  const entries = changes.map(({ branchId = null, orderId = newId(), bytes = 0, at = new Date() }) =>
    outboxEntry({
      organizationId,
      orderId,
      branchId,
      type: 'order.created',
      occurredAtUs: BigInt(at.getTime()) * 1000n,
      changedFields: [],
      statusFrom: '',
      statusTo: 'received',
      paymentStatusFrom: '',
      paymentStatusTo: 'pending',
      orderJson: JSON.stringify({ ...order, id: orderId, created_at: at.toISOString(), padding: 'x'.repeat(bytes) }),
    }),
  );
  const tenantGroup = sql.layout.groupOf(organizationId);
  for (const entry of entries) {
    const week = weekStart(new Date(Number(entry.occurred_us) / 1000));
    const [change] = await sql<{ id: number }[]>`
      insert into order_changes ${sql({ ...entry, week })} returning id`;
    await sql`
      insert into order_outbox (tenant_group, id, organization_id, order_id, week) overriding system value
      values (${tenantGroup}, ${change?.id ?? 0}, ${organizationId}, ${entry.order_id}, ${week})`;
  }
  await sql`select pg_notify('order_outbox', '')`;
  return entries.map((entry) => entry.order_id);
}
