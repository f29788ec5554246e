import type { Tx } from '../../../platform/database/index.ts';
import { isId } from '../../../platform/ids.ts';
import type { OrderOwner } from '../ordering.ts';
import { orderNotFound } from '../refusals.ts';
import { lockOrderKey } from '../sql/order-scope.ts';
import { type OrderTag, replaceTags } from '../sql/tags.ts';

/** Replaces all tags of the order. The lock keeps two requests from mixing their tags. */
export async function setTags(tx: Tx, owner: OrderOwner, id: string, tags: readonly OrderTag[]): Promise<void> {
  if (!isId(id) || !(await lockOrderKey(tx, owner, id))) throw orderNotFound(id);
  await replaceTags(tx, owner.organizationId, [{ orderId: id.toLowerCase(), tags }]);
}
