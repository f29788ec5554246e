import type { Queryable, Tx } from '../../../../platform/database/index.ts';
import type { BillingCycle } from './services.ts';

export type AssignmentStatus = 'active' | 'paused';
export type AssignmentRow = {
  organization_id: string;
  organization_app_id: string;
  service_id: string;
  price_sar: string;
  quantity: number;
  status: AssignmentStatus;
  starts_at: Date;
  created: Date;
  updated: Date;
};
export type AssignmentFilter = { organizationId: string | undefined; serviceId: string | undefined };

const columns = (sql: Queryable) => sql`
  organization_id, organization_app_id, service_id, price_sar::text, quantity, status, starts_at, created, updated`;

const matching = (sql: Queryable, { organizationId, serviceId }: AssignmentFilter) => sql`
  where ${organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`}
    and ${serviceId === undefined ? sql`true` : sql`service_id = ${serviceId}`}`;

export function listAssignmentRows(sql: Queryable, filter: AssignmentFilter, cap: number): Promise<AssignmentRow[]> {
  return sql<AssignmentRow[]>`
    select ${columns(sql)} from service_assignments ${matching(sql, filter)}
    order by created desc, organization_app_id desc limit ${cap}`;
}

export async function countAssignments(sql: Queryable, filter: AssignmentFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from service_assignments ${matching(sql, filter)}`;
  return row?.total ?? 0;
}

/** False when the install already has one. Waits for a transaction that is inserting one. */
export async function insertAssignment(tx: Tx, row: AssignmentRow): Promise<boolean> {
  const made = await tx`insert into service_assignments ${tx(row)} on conflict do nothing returning 1`;
  return made.length > 0;
}

/** By the install alone: the path names no organization. */
export async function lockAssignment(tx: Tx, organizationAppId: string): Promise<AssignmentRow | undefined> {
  const [row] = await tx<AssignmentRow[]>`
    select ${columns(tx)} from service_assignments where organization_app_id = ${organizationAppId} for update`;
  return row;
}

export async function updateAssignment(tx: Tx, row: AssignmentRow): Promise<void> {
  const { organization_id, organization_app_id, created: _created, ...changed } = row;
  await tx`
    update service_assignments set ${tx(changed)}
    where organization_id = ${organization_id} and organization_app_id = ${organization_app_id}`;
}

export async function deleteAssignment(tx: Tx, row: AssignmentRow): Promise<void> {
  await tx`
    delete from service_assignments
    where organization_id = ${row.organization_id} and organization_app_id = ${row.organization_app_id}`;
}

/** What the monthly run charges for. Amounts are decimal text. */
export type ChargeableAssignment = {
  organizationAppId: string;
  serviceId: string;
  serviceCode: string;
  priceSar: string;
  vatPercent: string;
  quantity: number;
  billingCycle: BillingCycle;
  startsAt: Date;
  created: Date;
};

/** A service that is no longer offered stays in force where it is assigned. */
export function listActiveAssignments(sql: Queryable, organizationId: string): Promise<ChargeableAssignment[]> {
  return sql<ChargeableAssignment[]>`
    select a.organization_app_id as "organizationAppId", a.service_id as "serviceId", s.code as "serviceCode",
           a.price_sar::text as "priceSar", s.vat_percent::text as "vatPercent", a.quantity,
           s.billing_cycle as "billingCycle", a.starts_at as "startsAt", a.created
    from service_assignments a join billable_services s on s.id = a.service_id
    where a.organization_id = ${organizationId} and a.status = 'active'
    order by a.organization_app_id`;
}
