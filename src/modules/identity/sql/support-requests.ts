import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { SupportScope } from '../support/policy.ts';

export type SupportRequestStatus = 'open' | 'allowed' | 'refused' | 'withdrawn' | 'expired';

export type SupportRequestRow = {
  id: string;
  operator_id: string;
  operator_name: string;
  scope: SupportScope;
  reason: string;
  status: SupportRequestStatus;
  created: Date;
  expires_at: Date;
};

const columns = (sql: Queryable) => sql`
  id, operator_id, operator_name, scope, reason, status, created, expires_at`;

/** Those that can still be answered, the oldest first. */
export function listOpenRequests(sql: Queryable, organizationId: string, now: Date): Promise<SupportRequestRow[]> {
  return sql<SupportRequestRow[]>`
    select ${columns(sql)} from support_requests
    where organization_id = ${organizationId} and status = 'open' and expires_at > ${now} order by created, id`;
}

/** Of one operator, whatever became of it. */
export async function findLatestRequest(
  sql: Queryable,
  organizationId: string,
  operatorId: string,
  now: Date,
): Promise<SupportRequestRow | undefined> {
  const [row] = await sql<SupportRequestRow[]>`
    select id, operator_id, operator_name, scope, reason, created, expires_at,
           case when status = 'open' and expires_at <= ${now} then 'expired' else status end as status
    from support_requests where organization_id = ${organizationId} and operator_id = ${operatorId}
    order by created desc, id desc limit 1`;
  return row;
}

export async function lockRequest(tx: Tx, organizationId: string, id: string): Promise<SupportRequestRow | undefined> {
  const [row] = await tx<SupportRequestRow[]>`
    select ${columns(tx)} from support_requests where organization_id = ${organizationId} and id = ${id} for no key update`;
  return row;
}

/** The open one of this operator. */
export async function lockOwnRequest(
  tx: Tx,
  organizationId: string,
  operatorId: string,
  now: Date,
): Promise<SupportRequestRow | undefined> {
  const [row] = await tx<SupportRequestRow[]>`
    select ${columns(tx)} from support_requests
    where organization_id = ${organizationId} and operator_id = ${operatorId} and status = 'open' and expires_at > ${now}
    for no key update`;
  return row;
}

export async function countRequests(
  sql: Queryable,
  organizationId: string,
  { since, now }: { since: Date; now: Date },
): Promise<{ open: number; recent: number }> {
  const [row] = await sql<{ open: number; recent: number }[]>`
    select count(*) filter (where status = 'open' and expires_at > ${now}) as open,
           count(*) filter (where created > ${since}) as recent
    from support_requests where organization_id = ${organizationId} and (created > ${since} or status = 'open')`;
  return row ?? { open: 0, recent: 0 };
}

export async function insertRequest(
  tx: Tx,
  organizationId: string,
  request: Omit<SupportRequestRow, 'status'>,
): Promise<void> {
  await tx`
    insert into support_requests (organization_id, id, operator_id, operator_name, scope, reason, created, expires_at)
    values (${organizationId}, ${request.id}, ${request.operator_id}, ${request.operator_name}, ${request.scope},
            ${request.reason}, ${request.created}, ${request.expires_at})`;
}

export async function settleRequest(
  tx: Tx,
  organizationId: string,
  id: string,
  status: Exclude<SupportRequestStatus, 'open'>,
  now: Date,
): Promise<void> {
  await tx`
    update support_requests set status = ${status}, settled_at = ${now}
    where organization_id = ${organizationId} and id = ${id} and status = 'open'`;
}

/** Before the same operator asks again: one of theirs is open at a time. */
export async function expireRequests(tx: Tx, organizationId: string, operatorId: string, now: Date): Promise<void> {
  await tx`
    update support_requests set status = 'expired', settled_at = expires_at
    where organization_id = ${organizationId} and operator_id = ${operatorId} and status = 'open' and expires_at <= ${now}`;
}

export async function dropRequests(sql: Queryable, createdBefore: Date, batch: number): Promise<number> {
  const dropped = await sql`
    delete from support_requests where (organization_id, id) in (
      select organization_id, id from support_requests where created < ${createdBefore}
      limit ${batch} for update skip locked)`;
  return dropped.count;
}
