import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import type { Actor, AuditEntry } from '../entry.ts';

const SLOTS = 16;
let nextSlot = Math.floor(Math.random() * SLOTS);

/** One statement for all entries, counts included. Field names have no commas, so a comma separates them safely. */
export async function insertEntries(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  entries: readonly AuditEntry[],
  now: Date,
): Promise<void> {
  nextSlot = (nextSlot + 1) % SLOTS;
  await tx`
    with new as materialized (
      select * from unnest(
        ${entries.map(newId)}::uuid[], ${entries.map((entry) => entry.action)}::text[],
        ${entries.map((entry) => entry.resource)}::text[], ${entries.map((entry) => entry.resourceId)}::text[],
        ${entries.map((entry) => (entry.changedFields ?? []).join(','))}::text[])
        as new (id, action, resource, resource_id, changed_fields)
    ), counted as (
      -- In order, so that two who write several kinds at once cannot wait for each other in a circle.
      insert into audit_counts (organization_id, resource, action, slot, written, forgotten)
      select ${organizationId}::uuid, resource, action, ${nextSlot}::smallint, count(*), 0
      from new group by resource, action order by resource, action
      on conflict (organization_id, resource, action, slot)
        do update set written = audit_counts.written + excluded.written
    )
    insert into audit_entries (organization_id, id, at, actor_kind, actor_id, actor_name, action, resource, resource_id,
      changed_fields, ip, request_id, support_grant_id)
    select ${organizationId}::uuid, new.id, ${now}, ${actor.kind}::text, ${actor.id}::text, ${actor.name}::text, new.action,
           new.resource, new.resource_id, string_to_array(new.changed_fields, ','), ${actor.ip}::text,
           ${actor.requestId}::text, ${actor.supportGrantId ?? null}::uuid
    from new`;
}

export async function findHoldersOfOldEntries(sql: Queryable, before: Date): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select organization_id from (select distinct organization_id from audit_counts) as holders
    where exists (
      select from audit_entries e where e.organization_id = holders.organization_id and e.at < ${before})`;
  return rows.map((row) => row.organization_id);
}

/** Oldest first, up to the limit, with their counts. Returns how many were deleted. */
export async function dropOldEntries(
  sql: Queryable,
  organizationId: string,
  before: Date,
  batch: number,
): Promise<number> {
  nextSlot = (nextSlot + 1) % SLOTS;
  const [row] = await sql<{ dropped: number }[]>`
    with old as materialized (
      select at, id from audit_entries where organization_id = ${organizationId} and at < ${before}
      order by at, id limit ${batch} for update skip locked
    ), dropped as (
      delete from audit_entries e using old
      where e.organization_id = ${organizationId} and e.at = old.at and e.id = old.id
      returning e.resource, e.action
    ), counted as (
      insert into audit_counts (organization_id, resource, action, slot, written, forgotten)
      select ${organizationId}::uuid, resource, action, ${nextSlot}::smallint, 0, count(*)
      from dropped group by resource, action order by resource, action
      on conflict (organization_id, resource, action, slot)
        do update set forgotten = audit_counts.forgotten + excluded.forgotten
    )
    select count(*) as dropped from dropped`;
  return row?.dropped ?? 0;
}
