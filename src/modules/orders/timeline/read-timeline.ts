import type { Sql } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { readTimeline, type TimelineKey } from '../../events/index.ts';
import { MAX_QUICK_ROWS, slow } from '../list/expensive-reads.ts';
import type { OrderOwner } from '../ordering.ts';
import { ORDER_NOT_FOUND } from '../refusals.ts';
import { findOrders } from '../sql/find-orders.ts';

const PIECE_BYTES = 512 * 1024;

export type TimelinePage = {
  hasNext: boolean;
  /** The bodies of the page, or those that fit into one read. */
  bodies: string[];
  /** Whether the page is larger than one read. Then `pieces` reads all of it again, one piece at a time. */
  isLarge: boolean;
  pieces(): AsyncIterable<string[]>;
};

/**
 * The bodies of an order's events, oldest first. A deleted order keeps its timeline for thirty days. An account that is confined to
 * a branch needs access to the order, and sees only the events of the time when the order was of that branch.
 */
export async function getTimelinePage(
  sql: Sql,
  { organizationId, branchId }: OrderOwner,
  id: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<TimelinePage> {
  if (!isId(id)) throw notFound(ORDER_NOT_FOUND, { id });
  const key = { organizationId, orderId: id, branchId };
  const first = { afterPosition: 0, offset, limit: limit + 1, maxBytes: PIECE_BYTES };
  const [[order], rows] = await Promise.all([
    findOrders(sql, [{ organizationId, id }]),
    readTimeline(offset > MAX_QUICK_ROWS ? slow(sql) : sql, key, first),
  ]);
  const isVisible =
    branchId === null
      ? order !== undefined || rows.length > 0 || (offset > 0 && (await hasEvents(sql, key)))
      : order?.destination_id === branchId;
  if (!isVisible) throw notFound(ORDER_NOT_FOUND, { id });
  const page = rows.slice(0, limit);
  const bodies = page.flatMap((row) => (row.body === null ? [] : [row.body]));
  // Copied, so that the rows are not held in memory while a large answer waits for a slot.
  const before = (page[0]?.position ?? 1) - 1;
  const count = page.length;
  return {
    hasNext: rows.length > limit,
    bodies,
    isLarge: bodies.length < page.length,
    pieces: () => readPieces(sql, key, before, count),
  };
}

async function hasEvents(sql: Sql, key: TimelineKey): Promise<boolean> {
  return (await readTimeline(sql, key, { afterPosition: 0, offset: 0, limit: 1, maxBytes: 0 })).length > 0;
}

/** Events never change and none is inserted between two others, so the page can be read on from the last position. */
async function* readPieces(sql: Sql, key: TimelineKey, before: number, count: number): AsyncGenerator<string[]> {
  let afterPosition = before;
  for (let left = count; left > 0; ) {
    const rows = await readTimeline(sql, key, { afterPosition, offset: 0, limit: left, maxBytes: PIECE_BYTES });
    const read = rows.filter((row) => row.body !== null);
    const last = read.at(-1);
    // The partition of their week was dropped meanwhile.
    if (last === undefined) return;
    yield read.map((row) => row.body ?? '');
    afterPosition = last.position;
    left -= read.length;
  }
}
