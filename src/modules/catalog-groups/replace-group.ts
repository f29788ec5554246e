import type { Tx } from '../../platform/database/index.ts';
import { updatedAfter } from '../../platform/http/preconditions.ts';
import { isId } from '../../platform/ids.ts';
import { type Actor, recordAudit, updateEntries } from '../audit/index.ts';
import { groupNotFound } from './delete-group.ts';
import type { Group, GroupKind } from './group.ts';
import { lockNames, replaceNames } from './sql.ts';

export async function replaceGroup(
  tx: Tx,
  kind: GroupKind,
  organizationId: string,
  replacement: Omit<Group, 'created'>,
  actor: Actor,
  checkVersion: (group: Group) => void,
): Promise<Group> {
  const { id } = replacement;
  const before = isId(id) ? await lockNames(tx, kind, organizationId, id) : undefined;
  if (before === undefined) throw groupNotFound(kind, id);
  checkVersion(before);
  const updated = updatedAfter(before.updated, replacement.updated);
  const after = { ...before, ...replacement, updated };
  await replaceNames(tx, kind, organizationId, after);
  const entries = updateEntries('Products', ['name_en', 'name_ar'], [{ id: before.id, before, after }]);
  await recordAudit(tx, organizationId, actor, entries, updated);
  return after;
}
