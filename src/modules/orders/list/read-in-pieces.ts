import type { Sql } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { type PieceOf, readOrderPiece } from '../sql/list-orders.ts';

/**
 * Orders by id, in pieces of limited size. Each read measures every order that it asks for, so after a piece of few large orders
 * the next read asks for few.
 */
export async function* readInPieces<Row extends { id: string } = Order>(
  sql: Sql,
  scope: { organizationId: string; branchId: string | null },
  ids: string[],
  of: PieceOf,
  maxRowsPerRead: number,
): AsyncGenerator<Row[]> {
  let rows = maxRowsPerRead;
  for (let next = 0; next < ids.length; ) {
    const asked = ids.slice(next, next + rows);
    const { orders, unread } = await readOrderPiece<Row>(sql, scope, asked, of);
    if (orders.length > 0) yield orders;
    const [firstUnread] = unread;
    const taken = firstUnread === undefined ? asked.length : asked.indexOf(firstUnread);
    rows = Math.min(maxRowsPerRead, taken * 2);
    next += taken;
  }
}
