import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { SkuChange } from '../schema.ts';

export type SkuRow = {
  id: string;
  iv_id: string;
  organization_id: string;
  product_id: string;
  product_iv_id: string;
  branch_id: string;
  branch_iv_id: string;
  name_en: string;
  name_ar: string;
  price: number | null;
  effective_price: number;
  current_qty: number;
  reorder_threshold: number;
  buffer: number;
  is_enabled: boolean;
  created: Date;
  updated: Date;
};

/** `onlyBranchId`: the one branch that a confined account may see. */
export type SkuScope = { organizationId: string; onlyBranchId: string | null };

/** With the SKU as `s`, its product as `p` and its branch as `b`. */
export const skuColumns = (sql: Queryable) => sql`
  s.id, s.iv_id, s.organization_id, s.product_id, p.iv_id as product_iv_id, s.branch_id, b.iv_id as branch_iv_id,
  p.name_en, p.name_ar, s.price, coalesce(s.price, p.average_price) as effective_price, s.current_qty,
  s.reorder_threshold, s.buffer, s.is_enabled, s.created, s.updated`;

export const itsParents = (sql: Queryable) => sql`
  join products p on p.organization_id = s.organization_id and p.id = s.product_id
  join branches b on b.organization_id = s.organization_id and b.id = s.branch_id`;

export const withinScope = (sql: Queryable, { organizationId, onlyBranchId }: SkuScope) => sql`
  s.organization_id = ${organizationId} ${onlyBranchId === null ? sql`` : sql`and s.branch_id = ${onlyBranchId}`}`;

export async function findSku(sql: Queryable, scope: SkuScope, ivId: string): Promise<SkuRow | undefined> {
  const [row] = await sql<SkuRow[]>`
    select ${skuColumns(sql)} from skus s ${itsParents(sql)}
    where ${withinScope(sql, scope)} and s.iv_id = ${ivId}`;
  return row;
}

/** What can be changed of an SKU, as it stands. */
export type SkuState = Pick<SkuRow, 'id' | 'price' | 'current_qty' | 'reorder_threshold' | 'buffer' | 'is_enabled'>;

/** Those that exist, by iv_id. Locked in the order in which the SKUs of products are removed, so that neither waits for the other in a circle. */
export async function lockSkus(tx: Tx, scope: SkuScope, ivIds: readonly string[]): Promise<Map<string, SkuState>> {
  const rows = await tx<(SkuState & { iv_id: string })[]>`
    select s.iv_id, s.id, s.price, s.current_qty, s.reorder_threshold, s.buffer, s.is_enabled from skus s
    where ${withinScope(tx, scope)} and s.iv_id = any(${[...ivIds]}::text[])
    order by s.product_id, s.branch_id
    for no key update`;
  return new Map(rows.map((row) => [row.iv_id, row]));
}

/** Absent fields keep their value; a null price is one that is sent. */
export async function updateSkus(
  sql: Queryable,
  organizationId: string,
  changes: ReadonlyMap<string, SkuChange>,
  now: Date,
): Promise<void> {
  const rows = [...changes].map(([iv_id, change]) => ({
    iv_id,
    sets_price: change.price !== undefined,
    price: change.price ?? null,
    current_qty: change.current_qty ?? null,
    reorder_threshold: change.reorder_threshold ?? null,
    buffer: change.buffer ?? null,
    is_enabled: change.is_enabled ?? null,
  }));
  // Through a text parameter, because the driver would encode a json one again.
  await sql`
    update skus s set
      price = case when r.sets_price then r.price else s.price end,
      current_qty = coalesce(r.current_qty, s.current_qty),
      reorder_threshold = coalesce(r.reorder_threshold, s.reorder_threshold),
      buffer = coalesce(r.buffer, s.buffer),
      is_enabled = coalesce(r.is_enabled, s.is_enabled),
      updated = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
      iv_id text, sets_price boolean, price numeric, current_qty numeric, reorder_threshold numeric, buffer numeric,
      is_enabled boolean)
    where s.organization_id = ${organizationId} and s.iv_id = r.iv_id`;
}

/** Needs the rows' locks. Those of which there was enough; the comparison is the server's, whose digits never end. */
export async function reduceStock(
  tx: Tx,
  organizationId: string,
  wanted: ReadonlyMap<string, string>,
  { allowNegative, now }: { allowNegative: boolean; now: Date },
): Promise<Set<string>> {
  const taken = await tx<{ iv_id: string }[]>`
    update skus s set current_qty = s.current_qty - w.quantity, updated = ${now}
    from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::numeric[]) as w (iv_id, quantity)
    where s.organization_id = ${organizationId} and s.iv_id = w.iv_id
      and (${allowNegative} or s.current_qty >= w.quantity)
    returning s.iv_id`;
  return new Set(taken.map((row) => row.iv_id));
}
