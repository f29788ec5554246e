import {
  plainArray,
  type Queryable,
  readFromGroup,
  type Tx,
  tenantTable,
  textArray,
  writeToGroup,
} from '../../../platform/database/index.ts';
import type { Contribution } from '../contribution.ts';

export type OrderKey = { organizationId: string; orderId: string };

/** The orders as they were last counted. Orders that were never counted are missing. All are of one group of tenants. */
export async function readProjected(tx: Tx, keys: OrderKey[]): Promise<Contribution[]> {
  const [first] = keys;
  if (first === undefined) return [];
  type Row = Omit<Contribution, 'created_at'> & { created_at: Date | string };
  const rows = await readFromGroup<Row>(
    tx,
    first.organizationId,
    tx`
    select p.organization_id, p.order_id, p.position, p.is_deleted, p.created_at, p.local_day::text, p.app_slug,
           p.branch_id, p.customer_id, p.customer_name, p.customer_phone, p.customer_email, p.currency, p.is_cancelled,
           p.is_refunded, p.amount, p.line_products, p.line_skus, p.line_units, p.line_revenues, p.line_firsts
    from unnest(${plainArray(keys.map((key) => key.organizationId))}::text::uuid[], ${plainArray(keys.map((key) => key.orderId))}::text::uuid[])
      as k (organization_id, order_id)
    join ${tenantTable(tx, first.organizationId, 'projected_orders')} p
      on p.organization_id = k.organization_id and p.order_id = k.order_id`,
  );
  return rows.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() }));
}

type PlainColumn =
  | 'organization_id'
  | 'order_id'
  | 'position'
  | 'is_deleted'
  | 'created_at'
  | 'local_day'
  | 'branch_id'
  | 'customer_id'
  | 'is_cancelled'
  | 'is_refunded'
  | 'amount';
type TextColumn = 'app_slug' | 'customer_name' | 'customer_phone' | 'customer_email' | 'currency';

export async function writeProjected(tx: Tx, contributions: Contribution[]): Promise<void> {
  const [first] = contributions;
  if (first === undefined) return;
  const plain = (column: PlainColumn) => tx`${plainArray(contributions.map((row) => row[column]))}::text`;
  const text = (column: TextColumn) => tx`${textArray(contributions.map((row) => row[column]))}::text::text[]`;
  const ofLines = (literalOf: (row: Contribution) => string) =>
    tx`${textArray(contributions.map(literalOf))}::text::text[]`;
  await writeToGroup(
    tx,
    first.organization_id,
    tx`
    insert into ${tenantTable(tx, first.organization_id, 'projected_orders')} (organization_id, order_id, position, is_deleted, created_at, local_day, app_slug, branch_id,
      customer_id, customer_name, customer_phone, customer_email, currency, is_cancelled, is_refunded, amount,
      line_products, line_skus, line_units, line_revenues, line_firsts)
    select organization_id, order_id, position, is_deleted, created_at, local_day, app_slug, branch_id,
           customer_id, customer_name, customer_phone, customer_email, currency, is_cancelled, is_refunded, amount,
           line_products::text[], line_skus::text[], line_units::numeric[], line_revenues::numeric[], line_firsts::boolean[]
    from unnest(
      ${plain('organization_id')}::uuid[], ${plain('order_id')}::uuid[], ${plain('position')}::bigint[],
      ${plain('is_deleted')}::boolean[], ${plain('created_at')}::timestamptz[], ${plain('local_day')}::date[],
      ${text('app_slug')}, ${plain('branch_id')}::uuid[], ${plain('customer_id')}::uuid[], ${text('customer_name')},
      ${text('customer_phone')}, ${text('customer_email')}, ${text('currency')}, ${plain('is_cancelled')}::boolean[],
      ${plain('is_refunded')}::boolean[], ${plain('amount')}::numeric[],
      ${ofLines((row) => textArray(row.line_products))}, ${ofLines((row) => textArray(row.line_skus))},
      ${ofLines((row) => plainArray(row.line_units))}, ${ofLines((row) => plainArray(row.line_revenues))},
      ${ofLines((row) => plainArray(row.line_firsts))}
    ) as o (organization_id, order_id, position, is_deleted, created_at, local_day, app_slug, branch_id,
      customer_id, customer_name, customer_phone, customer_email, currency, is_cancelled, is_refunded, amount,
      line_products, line_skus, line_units, line_revenues, line_firsts)
    on conflict (organization_id, order_id) do update set
      position = excluded.position, is_deleted = excluded.is_deleted, created_at = excluded.created_at,
      local_day = excluded.local_day, app_slug = excluded.app_slug, branch_id = excluded.branch_id,
      customer_id = excluded.customer_id, customer_name = excluded.customer_name,
      customer_phone = excluded.customer_phone, customer_email = excluded.customer_email,
      currency = excluded.currency, is_cancelled = excluded.is_cancelled, is_refunded = excluded.is_refunded,
      amount = excluded.amount, line_products = excluded.line_products, line_skus = excluded.line_skus,
      line_units = excluded.line_units, line_revenues = excluded.line_revenues, line_firsts = excluded.line_firsts`,
  );
}

export async function clearProjected(tx: Tx, organizationId: string): Promise<void> {
  await tx`delete from projected_orders where organization_id = ${organizationId}`;
  await tx`delete from daily_sales where organization_id = ${organizationId}`;
  await tx`delete from daily_product_sales where organization_id = ${organizationId}`;
  await tx`delete from organization_sales where organization_id = ${organizationId}`;
  await tx`delete from monthly_product_sales where organization_id = ${organizationId}`;
}

/** Deleted orders without events in the feed that could be projected again. */
export async function forgetDeleted(
  tx: Tx,
  organizationIds: string[] | undefined,
  beforePosition: number,
): Promise<number> {
  const removed = await tx`
    delete from projected_orders where is_deleted and position < ${beforePosition}
      ${organizationIds === undefined ? tx`` : tx`and organization_id = any(${organizationIds}::uuid[])`}`;
  return removed.count;
}

export async function listTenantsWithDeleted(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select distinct organization_id from projected_orders where is_deleted`;
  return rows.map((row) => row.organization_id);
}
