import type { Tx } from '../../platform/database/index.ts';
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
): Promise<Group> {
  const { id, updated } = replacement;
  const before = isId(id) ? await lockNames(tx, kind, organizationId, id) : undefined;
  if (before === undefined) throw groupNotFound(kind, id);
  const after = { ...before, ...replacement };
  await replaceNames(tx, kind, organizationId, after);
  const entries = updateEntries('Products', ['name_en', 'name_ar'], [{ id: before.id, before, after }]);
  await recordAudit(tx, organizationId, actor, entries, updated);
  return after;
}
