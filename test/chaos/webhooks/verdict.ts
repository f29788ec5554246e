import type { Sql } from '../../../src/platform/database/index.ts';
import type { Seen } from './receiver.ts';

type Attempt = { at: string; status_code: number | null; error: string; duration_ms: number };
type Row = { key: string; status: string; attempts: number; attempt_log: Attempt[] };

/** A request reaches its receiver within its deadline from when it was logged to begin; clocks tick in milliseconds. */
const DEADLINE_MS = 10_000;
const SLACK_MS = 1_000;

/** Holds what the receiver saw against what the service says it did. */
export async function judge(sql: Sql, seen: Seen[], pathOf: Map<string, string>): Promise<Record<string, number>> {
  const rows = (
    await sql<(Omit<Row, 'key'> & { subscription_id: string; event_id: string })[]>`
      select subscription_id, event_id, status, attempts, attempt_log from webhook_deliveries`
  ).map((row): Row => ({ ...row, key: `${pathOf.get(row.subscription_id)} ${row.event_id}` }));
  const [state] = await sql<[{ events: number; queued: number; in_flight: number; unfanned: number }]>`
    select (select count(*) from order_events) as events,
           (select count(*) from webhook_queued_deliveries) as queued,
           (select sum(in_flight)::int from webhook_subscription_queues) as in_flight,
           (select count(*) from order_events e join webhook_subscriptions s using (organization_id)
            where not exists (select 1 from webhook_deliveries d
                              where d.subscription_id = s.id and d.event_position = e.position)) as unfanned`;
  const requestsOf = Map.groupBy(seen, (request) => request.key);
  const log = rows.flatMap((row) => row.attempt_log);
  const startsWith = (words: string) => log.filter((attempt) => attempt.error.startsWith(words)).length;
  return {
    events: state.events,
    deliveries: rows.length,
    'requests seen by the receiver': seen.length,
    'answered 2xx': seen.filter((request) => request.status === 200).length,
    'duplicates (sent again after a 2xx)': countAfterSuccess(requestsOf),
    'attempts logged': log.length,
    'abandoned: the sender was lost': startsWith('abandoned'),
    'given back unsent': startsWith('not sent'),
    // All of these must be nought.
    'events that were not fanned out': state.unfanned,
    'deliveries made twice': rows.length - new Set(rows.map((row) => row.key)).size,
    'deliveries that never reached the receiver': rows.filter((row) => !requestsOf.has(row.key)).length,
    'deliveries not delivered': rows.filter((row) => row.status !== 'delivered').length,
    'requests of no delivery': [...requestsOf.keys()].length - rows.filter((row) => requestsOf.has(row.key)).length,
    'requests that are not in the log': countUnlogged(rows, requestsOf),
    'requests that overlap': [...requestsOf.values()].reduce((sum, requests) => sum + countOverlaps(requests), 0),
    'logged attempts that overlap': rows.reduce((sum, row) => sum + countOverlaps(row.attempt_log.map(spanOf)), 0),
    'deliveries whose attempts are miscounted': rows.filter((row) => row.attempts !== counted(row)).length,
    'still queued': state.queued,
    'still counted as in flight': state.in_flight,
  };
}

export const FIRST_FAULT = 'events that were not fanned out';

type Span = { startedAtMs: number; endedAtMs: number | undefined };

function spanOf(attempt: Attempt): Span {
  const startedAtMs = Date.parse(attempt.at);
  return { startedAtMs, endedAtMs: startedAtMs + attempt.duration_ms };
}

function countOverlaps(spans: Span[]): number {
  const inOrder = spans.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  return inOrder.filter((span, index) => {
    const before = inOrder[index - 1];
    return before !== undefined && (before.endedAtMs ?? Number.POSITIVE_INFINITY) > span.startedAtMs;
  }).length;
}

function countAfterSuccess(requestsOf: Map<string, Seen[]>): number {
  let after = 0;
  for (const requests of requestsOf.values()) {
    const first = requests.findIndex((request) => request.status === 200 && request.endedAtMs !== undefined);
    if (first >= 0) after += requests.length - first - 1;
  }
  return after;
}

/** Each request takes an entry of the log for itself; one that finds none was sent behind the log's back. */
function countUnlogged(rows: Row[], requestsOf: Map<string, Seen[]>): number {
  let unlogged = 0;
  for (const row of rows) {
    const free = row.attempt_log.filter((attempt) => !attempt.error.startsWith('not sent'));
    for (const request of requestsOf.get(row.key) ?? []) {
      const index = free.findIndex((attempt) => {
        const lateMs = request.startedAtMs - Date.parse(attempt.at);
        return lateMs >= -SLACK_MS && lateMs <= DEADLINE_MS + SLACK_MS;
      });
      if (index < 0) unlogged += 1;
      else free.splice(index, 1);
    }
  }
  return unlogged;
}

function counted(row: Row): number {
  return row.attempt_log.filter((attempt) => !/^(abandoned|not sent)/.test(attempt.error)).length;
}
