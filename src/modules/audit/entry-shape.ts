import type { AuditRow } from './sql/list.ts';

export function entryShape(row: AuditRow) {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: row.actor_name,
      ...(row.support_grant_id !== null && { support_grant_id: row.support_grant_id }),
    },
    action: row.action,
    resource: row.resource,
    resource_id: row.resource_id,
    changed_fields: row.changed_fields,
    ip: row.ip,
    request_id: row.request_id,
  };
}
