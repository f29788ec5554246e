import type { Tx } from '../../platform/database/index.ts';
import { conflict, notFound, type Problem } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { countProductsOf, forgetInDeletedProducts } from '../products/index.ts';
import type { GroupKind } from './group.ts';
import { lockGroup, removeGroup } from './sql.ts';

export function groupNotFound(kind: GroupKind, id: string): Problem {
  return notFound(`${kind.noun} not found`, { id });
}

export async function deleteGroup(
  tx: Tx,
  kind: GroupKind,
  organizationId: string,
  id: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (!isId(id) || !(await lockGroup(tx, kind, organizationId, id))) throw groupNotFound(kind, id);
  const products = await countProductsOf(tx, organizationId, kind.reference, id);
  if (products > 0) throw conflict(`${kind.noun} is used by products`, { id, products });
  await forgetInDeletedProducts(tx, organizationId, kind.reference, id);
  await removeGroup(tx, kind, organizationId, id);
  const entry = { action: 'delete', resource: 'Products', resourceId: id };
  await recordAudit(tx, organizationId, actor, [entry], now);
}
