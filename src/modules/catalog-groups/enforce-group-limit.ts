import type { Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import type { GroupKind } from './group.ts';
import { countGroups, lockGroups } from './sql.ts';

export const MAX_GROUPS = 10_000;

/** Held until the caller commits, so of two that ask at once the second counts the first. */
export async function enforceGroupLimit(tx: Tx, kind: GroupKind, organizationId: string): Promise<void> {
  await lockGroups(tx, kind, organizationId);
  const groups = await countGroups(tx, kind, organizationId);
  if (groups >= MAX_GROUPS) throw conflict(`Too many ${kind.nouns.toLowerCase()}`, { limit: MAX_GROUPS });
}
