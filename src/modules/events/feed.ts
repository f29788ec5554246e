import type { Clock } from '../../platform/clock.ts';
import { retentionCut, type Sql } from '../../platform/database/index.ts';
import { badRequest, Problem } from '../../platform/http/problem.ts';
import { type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { findFirstKept, readFeed, readTenantPosition } from './sql/events.ts';

/** The tenant, branch and types of events. */
export type FeedFilter = { organizationId: string; branchId: string | null; types: string[] };

export type PageSize = { limit: number; maxBytes: number };

export type FeedEvent = Cursor & { branchId: string | null; type: string; body: string };

/** `next` is the cursor of the next page. No event between it and the last one matches. */
export type FeedPage = { events: FeedEvent[]; next: Cursor; hasMore: boolean };

/** Publishers' clocks may differ by this much, so the weeks to look into are chosen with some slack. */
const CLOCK_SLACK_MS = 3_600_000;

/** Resolves a client's cursor. None: the oldest stored event. `now`: the current end. An event's cursor: after that event. */
export async function readFeedPage(
  sql: Sql,
  clock: Clock,
  filter: FeedFilter,
  cursor: string | undefined,
  size: PageSize,
): Promise<FeedPage> {
  const last = await readTenantPosition(sql, filter.organizationId);
  if (cursor === 'now') return { events: [], next: endAt(last, clock.now()), hasMore: false };
  const from = await startOf(sql, filter.organizationId, cursor, last, clock.now());
  return readUpTo(sql, clock, filter, from, last, size);
}

/** From a position that a reader has reached. */
export async function readOn(
  sql: Sql,
  clock: Clock,
  filter: FeedFilter,
  from: Cursor,
  size: PageSize,
): Promise<FeedPage> {
  // Read the end first: an event stamped during the read then belongs to the next page.
  const last = await readTenantPosition(sql, filter.organizationId);
  return readUpTo(sql, clock, filter, from, last, size);
}

async function readUpTo(
  sql: Sql,
  clock: Clock,
  filter: FeedFilter,
  from: Cursor,
  last: number,
  { limit, maxBytes }: PageSize,
): Promise<FeedPage> {
  const now = clock.now();
  const end = endAt(Math.max(last, from.position), now);
  if (last <= from.position) return { events: [], next: end, hasMore: false };
  const stampedFromMs = Math.max(retentionCut(now).getTime(), from.stampedSeconds * 1000 - CLOCK_SLACK_MS);
  const rows = await readFeed(sql, {
    ...filter,
    afterPosition: from.position,
    upToPosition: last,
    stampedFrom: new Date(stampedFromMs),
    limit: limit + 1,
    maxBytes,
  });
  const events = rows.slice(0, limit).map((row) => ({
    position: row.place,
    stampedSeconds: secondsOf(row.stamped_at),
    branchId: row.branch_id,
    type: row.type,
    body: row.body,
  }));
  const lastEvent = events.at(-1);
  const hasMore = (rows[0]?.found ?? 0) > events.length;
  // Everything up to the end was scanned, matching or not: the next call starts there.
  return { events, next: hasMore && lastEvent !== undefined ? cursorOf(lastEvent) : end, hasMore };
}

export function cursorOf({ position, stampedSeconds }: Cursor): Cursor {
  return { position, stampedSeconds };
}

function endAt(position: number, now: Date): Cursor {
  return { position, stampedSeconds: secondsOf(now) };
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

async function startOf(
  sql: Sql,
  organizationId: string,
  given: string | undefined,
  last: number,
  now: Date,
): Promise<Cursor> {
  const cut = retentionCut(now);
  if (given === undefined || given === '') return { position: 0, stampedSeconds: secondsOf(cut) };
  const cursor = parseCursor(given);
  if (cursor === undefined) throw notACursor();
  if (cursor.stampedSeconds * 1000 < cut.getTime()) throw await expired(sql, organizationId, given, last, cut);
  // Another tenant's, or from before a backup was restored. Reading from there would skip the next events.
  if (cursor.position > last) throw notACursor();
  return cursor;
}

function notACursor(): Problem {
  return badRequest({ cursor: 'is not a cursor of this feed' }, 'Invalid request parameters');
}

async function expired(sql: Sql, organizationId: string, given: string, last: number, cut: Date): Promise<Problem> {
  const first = await findFirstKept(sql, organizationId, cut);
  const stampedSeconds = secondsOf(first?.stamped_at ?? cut);
  // Just before the oldest stored event, so that reading from it skips nothing.
  const earliest = formatCursor({ position: first === undefined ? last : first.place - 1, stampedSeconds });
  return new Problem(410, 'Cursor expired', { cursor: given, earliest_cursor: earliest });
}
