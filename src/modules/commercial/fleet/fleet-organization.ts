import type { Queryable } from '../../../platform/database/index.ts';
import { notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { type FleetOrganization, type FleetStatus, findFleetOrganization } from '../../identity/index.ts';
import type { BillingSummary, ReadBilling } from '../billing/index.ts';
import { readCountsOf } from './sql/counts.ts';

export function organizationNotFound(id: string): Problem {
  return notFound('Organization not found', { id });
}

export async function getFleetOrganization(sql: Queryable, id: string): Promise<FleetOrganization> {
  const row = isId(id) ? await findFleetOrganization(sql, id) : undefined;
  if (row === undefined) throw organizationNotFound(id);
  return row;
}

export function statusOf(row: Pick<FleetOrganization, 'is_active' | 'suspended_at'>): FleetStatus {
  if (!row.is_active) return 'inactive';
  return row.suspended_at === null ? 'active' : 'suspended';
}

type Described = FleetOrganization & { branches: number; members: number; billing: BillingSummary };

/** With counts and billing. Do not call inside a transaction: billing is read by batched reads that all callers share. */
export async function describeOrganizations(
  sql: Queryable,
  readBilling: ReadBilling,
  rows: FleetOrganization[],
): Promise<Described[]> {
  const ids = rows.map((row) => row.id);
  const [counts, billings] = await Promise.all([readCountsOf(sql, ids), Promise.all(ids.map(readBilling))]);
  const countsById = new Map(counts.map((row) => [row.organization_id, row]));
  return rows.map((row, index) => {
    const { branches = 0, members = 0 } = countsById.get(row.id) ?? {};
    return { ...row, branches, members, billing: billings[index] as BillingSummary };
  });
}

export function organizationShape(row: Described) {
  return {
    id: row.id,
    name_en: row.name_en,
    name_ar: row.name_ar,
    plan: row.plan,
    status: statusOf(row),
    suspended_at: row.suspended_at?.toISOString() ?? null,
    suspended_by: row.suspended_by,
    suspension_reason: row.suspension_reason,
    branch_count: row.branches,
    user_count: row.members,
    balance_sar: row.billing.balanceSar,
    outstanding_sar: row.billing.outstandingSar,
    overdue_sar: row.billing.overdueSar,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  };
}
