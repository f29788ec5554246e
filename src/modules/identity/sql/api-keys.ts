import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import type { Standing } from '../permissions.ts';
import type { ConfiningBranch } from './branches.ts';
import type { Page } from './tokens.ts';

export type ApiKeyRow = {
  id: string;
  organization_id: string;
  name: string;
  hint: string;
  grants: string[];
  branch_iv_id: string | null;
  revoked: boolean;
  expires_at: Date | null;
  last_used_at: Date | null;
  created: Date;
};

export async function countLiveApiKeys(sql: Queryable, organizationId: string, now: Date): Promise<number> {
  const [row] = await sql<{ live: number }[]>`
    select count(*) as live from api_keys
    where organization_id = ${organizationId} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  return row?.live ?? 0;
}

/** As it is now, held so that a change that is under way is waited for: the gate's memory may be a second old. */
export async function lockStanding(
  tx: Tx,
  organizationId: string,
  userId: string,
): Promise<(Standing & { branchId: string | null }) | undefined> {
  const [row] = await tx<(Standing & { branchId: string | null })[]>`
    select role, branch_id as "branchId", grants_added as "grantsAdded", grants_withheld as "grantsWithheld"
    from memberships where organization_id = ${organizationId} and user_id = ${userId} for share`;
  return row;
}

export async function insertApiKey(
  sql: Queryable,
  key: {
    id: string;
    organizationId: string;
    name: string;
    hash: Buffer;
    hint: string;
    grants?: readonly string[];
    branch?: ConfiningBranch;
    expiresAt?: Date;
    createdBy: string | null;
    now: Date;
  },
): Promise<ApiKeyRow> {
  const [row] = await sql<[ApiKeyRow]>`
    insert into api_keys (organization_id, id, name, key_hash, hint, grants, branch_id, branch_iv_id, expires_at,
      created_by, created)
    values (${key.organizationId}, ${key.id}, ${key.name}, ${key.hash}, ${key.hint}, ${[...(key.grants ?? [])]},
            ${key.branch?.id ?? null}, ${key.branch?.ivId ?? null}, ${key.expiresAt ?? null}, ${key.createdBy}, ${key.now})
    returning id, organization_id, name, hint, grants, branch_iv_id, false as revoked, expires_at,
              null::timestamptz as last_used_at, created`;
  return row;
}

export async function listApiKeys(sql: Queryable, organizationId: string, paging: Paging): Promise<Page<ApiKeyRow>> {
  const rows = await sql<ApiKeyRow[]>`
    select k.id, k.organization_id, k.name, k.hint, k.grants, k.branch_iv_id, k.revoked_at is not null as revoked,
           k.expires_at, u.used_at as last_used_at, k.created
    from api_keys k
    left join api_key_uses u on u.organization_id = k.organization_id and u.api_key_id = k.id
    where k.organization_id = ${organizationId}
    order by k.created desc, k.id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from api_keys where organization_id = ${organizationId}`;
  return { rows, total: count?.total ?? 0 };
}

export async function revokeApiKey(
  sql: Queryable,
  organizationId: string,
  id: string,
  now: Date,
): Promise<{ organization_id: string } | undefined> {
  const [row] = await sql<{ organization_id: string }[]>`
    update api_keys set revoked_at = ${now}
    where organization_id = ${organizationId} and id = ${id} and revoked_at is null returning organization_id`;
  return row;
}

export async function dropApiKeys(sql: Queryable, endedBefore: Date, batch: number): Promise<number> {
  const dropped = await sql`
    delete from api_keys where (organization_id, id) in (
      select organization_id, id from api_keys where expires_at < ${endedBefore} or revoked_at < ${endedBefore}
      limit ${batch} for update skip locked)`;
  return dropped.count;
}
