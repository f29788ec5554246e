/** Who did it. `id` and `name` say who within the kind; `ip` and `requestId` are empty where no request was involved. */
export type Actor = {
  kind: 'user' | 'api_key' | 'operator' | 'system' | 'cli';
  id: string;
  name: string;
  ip: string;
  requestId: string;
  /** Set: an operator who acts inside the organization, under this grant of it. */
  supportGrantId?: string;
};

/** What was done: `create`, `update`, `delete` or a verb of its own such as `revoke`. Never holds a value, so never a secret. */
export type AuditEntry = {
  action: string;
  /** One of the nine words that grants are made of. */
  resource: string;
  resourceId: string;
  changedFields?: readonly string[];
};

/** The service itself: jobs and loops. It has an id, so that the list can be filtered by it. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system', name: 'dukkan', ip: '', requestId: '' };

/** In place of an organization for records of none, such as the operator's catalog, partners and posts. */
export const OPERATOR_SCOPE = '00000000-0000-0000-0000-000000000000';

/** In place of an actor: data of the demo that counts as older than the audit log. Nothing is recorded. */
export const BEFORE_THE_RECORD = 'before the record';
export type Author = Actor | typeof BEFORE_THE_RECORD;

/** The names of those fields that differ, in the order given. Lists and objects are compared by what they hold. */
export function changedFields<Fields extends object>(
  names: readonly (keyof Fields & string)[],
  before: Fields,
  after: Fields,
): string[] {
  return names.filter(
    (name) => before[name] !== after[name] && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

export type Change<Fields extends object> = { id: string; before: Fields; after: Fields };

/** One for each that really changed. */
export function updateEntries<Fields extends object>(
  resource: string,
  names: readonly (keyof Fields & string)[],
  changes: readonly Change<Fields>[],
): AuditEntry[] {
  return changes.flatMap(({ id, before, after }) => {
    const fields = changedFields(names, before, after);
    return fields.length === 0 ? [] : [{ action: 'update', resource, resourceId: id, changedFields: fields }];
  });
}
