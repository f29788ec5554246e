import type { Sql } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { type PieceOf, readOrderPiece } from '../sql/list-orders.ts';

/**
 * Orders by their ids, as many at a time as the bytes of a piece allow. Every read measures all that it asks for, so after
 * a piece of few large orders it asks for few.
 */
export async function* readInPieces<Row extends { id: string } = Order>(
  sql: Sql,
  whose: { organizationId: string; branchId: string | null },
  ids: string[],
  of: PieceOf,
  rowsARead: number,
): AsyncGenerator<Row[]> {
  let asking = rowsARead;
  for (let next = 0; next < ids.length; ) {
    const asked = ids.slice(next, next + asking);
    const { orders, unread } = await readOrderPiece<Row>(sql, whose, asked, of);
    if (orders.length > 0) yield orders;
    const [firstUnread] = unread;
    const taken = firstUnread === undefined ? asked.length : asked.indexOf(firstUnread);
    asking = Math.min(rowsARead, taken * 2);
    next += taken;
  }
}
