import type { Sql } from '../../../platform/database/index.ts';
import { isId } from '../../../platform/ids.ts';
import type { OrderOwner } from '../ordering.ts';
import { orderNotFound } from '../refusals.ts';
import { orderExists } from '../sql/order-scope.ts';
import { listTags } from '../sql/tags.ts';

export async function findTags(sql: Sql, owner: OrderOwner, id: string): Promise<string[]> {
  if (!isId(id)) throw orderNotFound(id);
  const key = { organizationId: owner.organizationId, id };
  const [isFound, tags] = await Promise.all([orderExists(sql, owner, id), listTags(sql, key)]);
  if (!isFound) throw orderNotFound(id);
  return tags;
}
