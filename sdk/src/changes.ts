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
  /** Told whenever the connection was lost, before the wait. */
  onReconnect?: (error: DukkanError, delayMs: number) => void;
};

type Page = { events: OrderEvent[]; next_cursor: string; has_more: boolean };

const WAIT_SECONDS = 25;
const PAGE_TIMEOUT_MS = (WAIT_SECONDS + 20) * 1000;
/** The service says something every 15 seconds; whoever hears nothing for thrice as long is no longer connected. */
const SILENCE_MS = 45_000;
const PASSING = [0, 408, 409, 429, 500, 502, 503, 504];

/**
 * The position moves with each event that was given out, and only forward, so what comes again after a lost connection is
 * passed over. A position that is no longer kept is thrown (410): something was missed, and only the caller knows what then.
 */
export async function* followChanges(
  transport: Transport,
  { since = 'now', eventTypes, stream = true, signal, onReconnect }: ChangesOptions = {},
): AsyncGenerator<OrderEvent, void, undefined> {
  const types = eventTypes === undefined || eventTypes.length === 0 ? undefined : [...eventTypes];
  let position = since === 'oldest' ? undefined : since;
  let failures = 0;

  while (!signal?.aborted) {
    try {
      // A stream too begins with what there is already: `now` becomes a position that outlives the connection.
      for (let more = true; more && !signal?.aborted; ) {
        const waits = !stream && position !== undefined && position !== 'now';
        const page = await readPage(transport, position, types, waits, signal);
        failures = 0;
        for (const event of page.events) {
          yield event;
          position = event.cursor;
        }
        position = page.next_cursor;
        more = page.has_more;
      }
      if (!stream) continue;
      for await (const event of readStream(transport, position ?? '', types, signal)) {
        failures = 0;
        if (event.cursor <= (position ?? '')) continue;
        yield event;
        position = event.cursor;
      }
      throw new DukkanError('The stream ended', { status: 0, reason: 'network' });
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof DukkanError) || !PASSING.includes(error.status)) throw error;
      failures += 1;
      const delayMs = Math.max(backoffMs(failures), (error.retryAfter ?? 0) * 1000);
      onReconnect?.(error, delayMs);
      await wait(delayMs, signal);
    }
  }
}

async function readPage(
  transport: Transport,
  cursor: string | undefined,
  eventTypes: EventType[] | undefined,
  waits: boolean,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const { data } = await transport.send({
    operation: 'listOrderChanges',
    method: 'GET',
    path: '/orders/changes',
    query: { cursor, limit: 500, event_types: eventTypes, wait: waits ? WAIT_SECONDS : undefined },
    timeoutMs: PAGE_TIMEOUT_MS,
    // Repeated by the loop around it, which never gives up.
    retries: 0,
    ...(signal && { signal }),
  });
  return data as Page;
}

async function* readStream(
  transport: Transport,
  cursor: string,
  eventTypes: EventType[] | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<OrderEvent, void, undefined> {
  const request = {
    operation: 'streamOrderChanges',
    method: 'GET',
    path: '/orders/changes/stream',
    query: { event_types: eventTypes },
    headers: { accept: 'text/event-stream', 'last-event-id': cursor },
    ...(signal && { signal }),
  };
  const limit = limitTime(SILENCE_MS, signal);
  try {
    const response = await transport.open(request, limit.signal);
    if (response.body === null) return;
    for await (const event of readServerSentEvents(response.body)) {
      limit.restart();
      if (event !== undefined) yield JSON.parse(event.data) as OrderEvent;
      // The time it takes the caller to do his part is none of the connection's.
      limit.restart();
    }
  } catch (error) {
    throw transport.explain(error, request, limit.timedOut());
  } finally {
    limit.end();
  }
}
