import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';

/** An organization as the operator sees it. */
export type FleetOrganization = {
  id: string;
  name_en: string;
  name_ar: string;
  plan: string;
  is_active: boolean;
  suspended_at: Date | null;
  suspended_by: '' | 'billing' | 'operator';
  suspension_reason: string;
  created: Date;
  updated: Date;
};

/** One that is closed is inactive, suspended or not. */
export type FleetStatus = 'active' | 'suspended' | 'inactive';

const columns = (sql: Queryable) => sql`
  id, name_en, name_ar, plan, is_active, suspended_at, suspended_by, suspension_reason, created, updated`;

const inStatus = (sql: Queryable, status: FleetStatus | undefined) => {
  if (status === undefined) return sql`true`;
  if (status === 'inactive') return sql`not is_active`;
  return status === 'suspended' ? sql`is_active and suspended_at is not null` : sql`is_active and suspended_at is null`;
};

/** The newest first. */
export function listFleetOrganizations(
  sql: Queryable,
  status: FleetStatus | undefined,
  paging: Paging,
): Promise<FleetOrganization[]> {
  return sql<FleetOrganization[]>`
    select ${columns(sql)} from organizations where ${inStatus(sql, status)}
    order by created desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export async function countFleetOrganizations(sql: Queryable, status: FleetStatus | undefined): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from organizations where ${inStatus(sql, status)}`;
  return row?.total ?? 0;
}

export async function findFleetOrganization(sql: Queryable, id: string): Promise<FleetOrganization | undefined> {
  const [row] = await sql<FleetOrganization[]>`select ${columns(sql)} from organizations where id = ${id}`;
  return row;
}

export async function lockFleetOrganization(tx: Tx, id: string): Promise<FleetOrganization | undefined> {
  const [row] = await tx<FleetOrganization[]>`
    select ${columns(tx)} from organizations where id = ${id} for no key update`;
  return row;
}

/** How many organizations have each plan. */
export async function countOrganizationsByPlan(sql: Queryable): Promise<Map<string, number>> {
  const rows = await sql<{ plan: string; total: number }[]>`
    select plan, count(*) as total from organizations group by plan`;
  return new Map(rows.map(({ plan, total }) => [plan, total]));
}
