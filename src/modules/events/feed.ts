import type { Clock } from '../../platform/clock.ts';
import { retentionCut, type Sql } from '../../platform/database/index.ts';
import { badRequest, Problem } from '../../platform/http/problem.ts';
import { type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { findFirstKept, readFeed, readPositions } from './sql.ts';

export type FeedRequest = {
  organizationId: string;
  branchId: string | null;
  /** Nothing: from the oldest kept. `now`: from here on. Otherwise an event's cursor: after that event. */
  cursor: string | undefined;
  types: string[];
  limit: number;
};

export type FeedPage = { bodies: string[]; nextCursor: string; hasMore: boolean };

/** Publishers' clocks may differ by this much, so the weeks to look into are chosen with some slack. */
const CLOCK_SLACK_MS = 3_600_000;

export async function readFeedPage(sql: Sql, clock: Clock, request: FeedRequest): Promise<FeedPage> {
  const now = clock.now();
  // Read first: what is stamped while we look belongs to the next page, never to none.
  const { last } = await readPositions(sql);
  const end: Cursor = { position: last, stampedSeconds: Math.floor(now.getTime() / 1000) };
  if (request.cursor === 'now') return { bodies: [], nextCursor: formatCursor(end), hasMore: false };

  const from = await startOf(sql, request, now);
  const rows = await readFeed(sql, {
    organizationId: request.organizationId,
    branchId: request.branchId,
    afterPosition: from.position,
    upToPosition: last,
    stampedFrom: from.stampedFrom,
    types: request.types,
    limit: request.limit + 1,
  });
  const hasMore = rows.length > request.limit;
  const page = hasMore ? rows.slice(0, request.limit) : rows;
  const lastRow = page.at(-1);
  const next =
    hasMore && lastRow !== undefined
      ? { position: lastRow.position, stampedSeconds: Math.floor(lastRow.stamped_at.getTime() / 1000) }
      : // Everything up to here was seen, matching or not: the next call need not look again.
        { ...end, position: Math.max(end.position, from.position) };
  return { bodies: page.map((row) => row.body), nextCursor: formatCursor(next), hasMore };
}

async function startOf(sql: Sql, request: FeedRequest, now: Date): Promise<{ position: number; stampedFrom: Date }> {
  const cut = retentionCut(now);
  if (request.cursor === undefined || request.cursor === '') return { position: 0, stampedFrom: cut };
  const cursor = parseCursor(request.cursor);
  if (cursor === undefined) throw badRequest({ cursor: 'is not a cursor of this feed' }, 'Invalid request parameters');
  if (cursor.stampedSeconds * 1000 < cut.getTime()) throw await expired(sql, request, cut);
  return { position: cursor.position, stampedFrom: new Date(cursor.stampedSeconds * 1000 - CLOCK_SLACK_MS) };
}

async function expired(sql: Sql, request: FeedRequest, cut: Date): Promise<Problem> {
  const first = await findFirstKept(sql, request.organizationId, cut);
  const { last } = await readPositions(sql);
  const seconds = Math.floor((first?.stamped_at ?? cut).getTime() / 1000);
  // Just before the first one kept, so that reading on from it misses nothing that is still there.
  const earliest = formatCursor({ position: first === undefined ? last : first.position - 1, stampedSeconds: seconds });
  return new Problem(410, 'Cursor expired', { cursor: request.cursor, earliest_cursor: earliest });
}
