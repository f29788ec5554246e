import type { Queryable, Tx } from '../../../../platform/database/index.ts';

export type BillingCycle = 'once' | 'monthly' | 'yearly';

/** Amounts are decimal text. */
export type ServiceFields = {
  code: string;
  name_en: string;
  name_ar: string;
  description: string;
  price_sar: string;
  vat_percent: string;
  billing_cycle: BillingCycle;
  is_active: boolean;
  metadata: Record<string, unknown>;
};
export type ServiceRow = ServiceFields & { id: string; created: Date; updated: Date };

export type AssetRow = {
  service_id: string;
  id: string;
  name: string;
  file_key: string;
  content_type: string;
  size_bytes: number;
  created: Date;
};

const columns = (sql: Queryable) => sql`
  id, code, name_en, name_ar, description, price_sar::text, vat_percent::text, billing_cycle, is_active, metadata, created,
  updated`;

export function listServiceRows(sql: Queryable, cap: number): Promise<ServiceRow[]> {
  return sql<ServiceRow[]>`select ${columns(sql)} from billable_services order by created desc, id desc limit ${cap}`;
}

export async function countServices(sql: Queryable): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*) as total from billable_services`;
  return row?.total ?? 0;
}

export async function findService(sql: Queryable, id: string): Promise<ServiceRow | undefined> {
  const [row] = await sql<ServiceRow[]>`select ${columns(sql)} from billable_services where id = ${id}`;
  return row;
}

/** Locked for share: no writer changes it until the end of the transaction, other readers may lock it too. */
export async function holdService(tx: Tx, id: string): Promise<ServiceRow | undefined> {
  const [row] = await tx<ServiceRow[]>`select ${columns(tx)} from billable_services where id = ${id} for share`;
  return row;
}

export async function lockService(tx: Tx, id: string): Promise<ServiceRow | undefined> {
  const [row] = await tx<ServiceRow[]>`
    select ${columns(tx)} from billable_services where id = ${id} for no key update`;
  return row;
}

export async function insertService(tx: Tx, service: ServiceRow): Promise<void> {
  await tx`insert into billable_services ${tx({ ...service, metadata: tx.json(service.metadata) })}`;
}

export async function updateService(tx: Tx, { id, created: _created, ...service }: ServiceRow): Promise<void> {
  await tx`
    update billable_services set ${tx({ ...service, metadata: tx.json(service.metadata) })} where id = ${id}`;
}

export function listAssets(sql: Queryable, serviceIds: readonly string[]): Promise<AssetRow[]> {
  return sql<AssetRow[]>`
    select service_id, id, name, file_key, content_type, size_bytes, created
    from service_assets where service_id = any(${[...serviceIds]}::uuid[]) order by service_id, id`;
}

export async function findAsset(sql: Queryable, serviceId: string, id: string): Promise<AssetRow | undefined> {
  const [row] = await sql<AssetRow[]>`
    select service_id, id, name, file_key, content_type, size_bytes, created
    from service_assets where service_id = ${serviceId} and id = ${id}`;
  return row;
}

export async function insertAsset(tx: Tx, asset: AssetRow): Promise<void> {
  await tx`insert into service_assets ${tx(asset)}`;
}

export async function deleteAsset(tx: Tx, serviceId: string, id: string): Promise<AssetRow | undefined> {
  const [row] = await tx<AssetRow[]>`
    delete from service_assets where service_id = ${serviceId} and id = ${id}
    returning service_id, id, name, file_key, content_type, size_bytes, created`;
  return row;
}
