import { DukkanError } from './error.ts';
import { readServerSentEvents } from './server-sent-events.ts';
import type { Transport } from './transport.ts';
import type { EventType, OrderEvent } from './typing.ts';
import { backoffMs, limitTime, wait } from './waiting.ts';

export type ChangesOptions = {
  /** An event's `cursor`: after that event. `oldest`: all that is kept (30 days). `now`, or nothing: from here on. */
  since?: string;
  eventTypes?: readonly EventType[];
  /** Held open as one connection, which is a little quicker. False: asked again and again, each time with a wait. */
  stream?: boolean;
  /** Ends the loop without an error. */
  signal?: AbortSignal;
  /** Called when the connection is lost, before the wait. */
  onReconnect?: (error: DukkanError, delayMs: number) => void;
};

type Page = { events: OrderEvent[]; next_cursor: string; has_more: boolean };

const WAIT_SECONDS = 25;
const PAGE_TIMEOUT_MS = (WAIT_SECONDS + 20) * 1000;
/** The service sends something every 15 seconds; after three times as long without a byte the connection is dead. */
const SILENCE_MS = 45_000;
/** A longer `Retry-After`, such as a date in another century, does not stop the feed: it is tried again by then. */
const LONGEST_WAIT_MS = 3_600_000;
const PASSING = [0, 408, 409, 429, 500, 502, 503, 504];

/** A page or a filter may be silent for weeks; a place that is asked about this often stays among those that are kept. */
const REFRESH_MS = 3_600_000;

const bodies = new WeakMap<OrderEvent, string>();

/** The event as the service wrote it, byte for byte where it came by the stream: what a webhook of it carries. */
export function rawBodyOf(event: OrderEvent): string {
  return bodies.get(event) ?? JSON.stringify(event);
}

/**
 * The position moves with each event that was given out, and only forward, so what comes again after a lost connection is
 * passed over. A position that is no longer kept is thrown (410): something was missed, and only the caller knows what then.
 */
export async function* followChanges(
  transport: Transport,
  { since = 'now', eventTypes, stream = true, signal, onReconnect }: ChangesOptions = {},
): AsyncGenerator<OrderEvent, void, undefined> {
  const feed = {
    transport,
    types: eventTypes === undefined || eventTypes.length === 0 ? undefined : [...eventTypes],
    ...(signal && { signal }),
  };
  let position = since === 'oldest' ? undefined : since;
  let failures = 0;

  while (!signal?.aborted) {
    try {
      if (!stream || position === undefined || position === 'now') {
        // A stream too begins with a page: it makes of `now` a position that outlives the connection.
        const page = await readPage(feed, position, { waits: !stream && position !== 'now' });
        failures = 0;
        for (const event of page.events) {
          yield event;
          position = event.cursor;
        }
        position = page.next_cursor;
        continue;
      }
      for await (const event of readStream(feed, position)) {
        failures = 0;
        if (typeof event === 'string') {
          position = event;
          continue;
        }
        if (event.cursor <= position) continue;
        yield event;
        position = event.cursor;
      }
      throw new DukkanError('The stream ended', { status: 0, reason: 'network' });
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof DukkanError) || !PASSING.includes(error.status)) throw error;
      failures += 1;
      const delayMs = Math.max(backoffMs(failures), Math.min((error.retryAfter ?? 0) * 1000, LONGEST_WAIT_MS));
      onReconnect?.(error, delayMs);
      await wait(delayMs, signal);
    }
  }
}

type Feed = { transport: Transport; types: EventType[] | undefined; signal?: AbortSignal };

async function readPage({ transport, types, signal }: Feed, cursor: string | undefined, { waits }: { waits: boolean }) {
  const { data } = await transport.send({
    operation: 'listOrderChanges',
    method: 'GET',
    path: '/orders/changes',
    query: { cursor, limit: 500, event_types: types, wait: waits ? WAIT_SECONDS : undefined },
    timeoutMs: PAGE_TIMEOUT_MS,
    // Retried by the enclosing loop, without a limit.
    retries: 0,
    ...(signal && { signal }),
  });
  return data as Page;
}

/** Events, and in long silence the place up to which there were none. */
async function* readStream(
  { transport, types, signal }: Feed,
  cursor: string,
): AsyncGenerator<OrderEvent | string, void, undefined> {
  const request = {
    operation: 'streamOrderChanges',
    method: 'GET',
    path: '/orders/changes/stream',
    query: { event_types: types },
    headers: { accept: 'text/event-stream', 'last-event-id': cursor },
    ...(signal && { signal }),
  };
  const limit = limitTime(SILENCE_MS, signal);
  let place = cursor;
  let placedAtMs = Date.now();
  try {
    const response = await transport.open(request, limit.signal);
    if (response.body === null) return;
    for await (const part of readServerSentEvents(response.body)) {
      // The time it takes the caller to do his part is none of the connection's.
      limit.pause();
      if (part !== undefined) {
        const event = JSON.parse(part.data) as OrderEvent;
        bodies.set(event, part.data);
        place = event.cursor;
        placedAtMs = Date.now();
        yield event;
      } else if (Date.now() - placedAtMs > REFRESH_MS) {
        const page = await readPage({ transport, types, ...(signal && { signal }) }, place, { waits: false });
        placedAtMs = Date.now();
        // What there is comes by the stream itself.
        if (page.events.length === 0) {
          place = page.next_cursor;
          yield place;
        }
      }
      limit.restart();
    }
  } catch (error) {
    throw transport.explain(error, request, limit.timedOut());
  } finally {
    limit.end();
  }
}
