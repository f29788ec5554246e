import { plainArray, type Queryable, type Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';

export type OrganizationRow = {
  id: string;
  name_en: string;
  name_ar: string;
  time_zone: string;
  currency: string;
  vat_number: string;
  address: string;
  require_totp: boolean;
  plan: string;
  is_active: boolean;
  created: Date;
  updated: Date;
};

/** What its own people may change. */
export type OrganizationSettings = Pick<
  OrganizationRow,
  'name_en' | 'name_ar' | 'time_zone' | 'currency' | 'vat_number' | 'address' | 'require_totp'
>;

const columns = (sql: Queryable) =>
  sql`id, name_en, name_ar, time_zone, currency, vat_number, address, require_totp, plan, is_active, created, updated`;

export async function findOrganization(sql: Queryable, id: string): Promise<OrganizationRow | undefined> {
  const [row] = await sql<OrganizationRow[]>`select ${columns(sql)} from organizations where id = ${id}`;
  return row;
}

export async function lockOrganizationRow(tx: Tx, id: string): Promise<OrganizationRow | undefined> {
  const [row] = await tx<OrganizationRow[]>`
    select ${columns(tx)} from organizations where id = ${id} for no key update`;
  return row;
}

export async function updateOrganizationRow(
  tx: Tx,
  id: string,
  change: Partial<OrganizationSettings>,
  now: Date,
): Promise<OrganizationRow> {
  const [row] = await tx<[OrganizationRow]>`
    update organizations set ${tx({ ...change, updated: now })} where id = ${id} returning ${columns(tx)}`;
  return row;
}

export type ListedOrganization = OrganizationRow & { suspended_at: Date | null };

export async function listOrganizationRows(
  sql: Queryable,
  paging: Paging,
): Promise<{ rows: ListedOrganization[]; total: number }> {
  const rows = await sql<ListedOrganization[]>`
    select ${columns(sql)}, suspended_at from organizations
    order by created, id limit ${paging.limit} offset ${offsetOf(paging)}`;
  return { rows, total: await countOrganizations(sql) };
}

/** Whether the database knows the zone as well: what reads days by it would fail on one that only JavaScript knows. */
export async function readLocalTime(sql: Queryable, timeZone: string, now: Date): Promise<void> {
  await sql`select ${now}::timestamptz at time zone ${timeZone}::text`;
}

export async function readTimeZones(sql: Queryable, organizationIds: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; time_zone: string }[]>`
    select id, time_zone from organizations where id = any(${plainArray(organizationIds)}::text::uuid[])`;
  return new Map(rows.map((row) => [row.id, row.time_zone]));
}

export async function readOrganizationNames(sql: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name_en: string }[]>`
    select id, name_en from organizations where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row.name_en]));
}

export async function listOrganizationIds(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from organizations order by id`;
  return rows.map((row) => row.id);
}

export async function countOrganizations(sql: Queryable): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*) as total from organizations`;
  return row?.total ?? 0;
}

/** What is taken where nothing is said: of a time without a zone, of an amount without a currency. */
export type OrganizationDefaults = { timeZone: string; currency: string };

export async function readOrganizationDefaults(sql: Queryable, organizationId: string): Promise<OrganizationDefaults> {
  const [row] = await sql<{ time_zone: string; currency: string }[]>`
    select time_zone, currency from organizations where id = ${organizationId}`;
  return { timeZone: row?.time_zone ?? 'Asia/Riyadh', currency: row?.currency ?? 'SAR' };
}

/** An organization as far as its bill goes. */
export type BilledOrganization = {
  id: string;
  plan: string;
  is_active: boolean;
  /** Empty while it is not suspended. */
  suspended_by: '' | 'billing' | 'operator';
};

export async function findBilledOrganization(sql: Queryable, id: string): Promise<BilledOrganization | undefined> {
  const [row] = await sql<BilledOrganization[]>`
    select id, plan, is_active, case when suspended_at is null then '' else suspended_by end as suspended_by
    from organizations where id = ${id}`;
  return row;
}

/** Unless it is suspended already, by whomever. True when it was not. */
export async function suspendForBilling(tx: Tx, id: string, reason: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update organizations set suspended_at = ${now}, suspended_by = 'billing', suspension_reason = ${reason}
    where id = ${id} and suspended_at is null returning 1`;
  return rows.length > 0;
}

/** Ends a suspension that billing began; one by hand is left alone. True when there was one to end. */
export async function endBillingSuspension(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx`
    update organizations set suspended_at = null, suspended_by = '', suspension_reason = ''
    where id = ${id} and suspended_by = 'billing' and suspended_at is not null returning 1`;
  return rows.length > 0;
}
