import type { Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Actor, AuditEntry } from './entry.ts';

/** One statement however many there are. The names of fields are words, so a comma parts them safely. */
export async function insertEntries(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  entries: readonly AuditEntry[],
  now: Date,
): Promise<void> {
  await tx`
    insert into audit_entries (organization_id, id, at, actor_kind, actor_id, actor_name, action, resource, resource_id,
      changed_fields, ip, request_id)
    select ${organizationId}, new.id, ${now}, ${actor.kind}, ${actor.id}, ${actor.name}, new.action, new.resource,
           new.resource_id, string_to_array(new.changed_fields, ','), ${actor.ip}, ${actor.requestId}
    from unnest(
      ${entries.map(newId)}::uuid[], ${entries.map((entry) => entry.action)}::text[],
      ${entries.map((entry) => entry.resource)}::text[], ${entries.map((entry) => entry.resourceId)}::text[],
      ${entries.map((entry) => (entry.changedFields ?? []).join(','))}::text[])
      as new (id, action, resource, resource_id, changed_fields)`;
}
