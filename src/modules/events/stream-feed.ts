import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Problem } from '../../platform/http/problem.ts';
import { formatCursor } from './cursor.ts';
import type { FeedFilter, FeedPage, PageSize } from './feed.ts';
import type { FeedHub } from './feed-hub.ts';
import type { FeedReader } from './feed-reader.ts';
import type { FeedSettings } from './settings.ts';
import type { UnsentBytes } from './unsent-bytes.ts';

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export type StreamTools = {
  hub: FeedHub;
  reader: FeedReader;
  unsent: UnsentBytes;
  settings: FeedSettings;
  log: FastifyBaseLogger;
};

export type Stream = {
  filter: FeedFilter;
  first: FeedPage;
  size: PageSize;
  headers: OutgoingHttpHeaders;
  /** Throws when the caller may no longer read the feed: asked after events were read and before they are sent. */
  admitAgain(): Promise<void>;
  /** Ends the stream. A Problem as its reason is sent to the client. */
  signal: AbortSignal;
};

/** The client takes nothing for too long, or its unsent bytes exceed the memory limit. */
class ReaderTooSlow extends Error {}

/**
 * Writes events as they come, until the client leaves, may no longer read them, or the service stops. A page is one write, of
 * bytes that all streams with the same filter share. A reader slower than its events is waited for, with no more in hand than
 * one page; it continues from its own position. When unsent bytes reach their limit it is closed, and resumes.
 */
export async function streamFeed(tools: StreamTools, stream: Stream, response: ServerResponse): Promise<void> {
  const { filter, size, signal } = stream;
  const { heartbeatMs, stalledReaderMs } = tools.settings;
  const tenantFeed = tools.hub.join(filter.organizationId);
  let sentAtMs = performance.now();
  const send = async (bytes: Buffer) => {
    if (!signal.aborted && !response.destroyed && !response.write(bytes)) await drained(bytes);
    sentAtMs = performance.now();
  };
  /** Resolves also when the stream is to end: then there is nothing to wait for. */
  const drained = (bytes: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const abandon = () => finish(new ReaderTooSlow());
      const goOn = () => finish();
      const timer = setTimeout(abandon, stalledReaderMs);
      response.once('drain', goOn);
      signal.addEventListener('abort', goOn, { once: true });
      // A page larger than the limit closes its own reader before this returns.
      let release: (() => void) | undefined;
      release = tools.unsent.add(filter.organizationId, bytes, abandon);
      function finish(error?: Error) {
        clearTimeout(timer);
        release?.();
        response.off('drain', goOn);
        signal.removeEventListener('abort', goOn);
        if (error === undefined) resolve();
        else reject(error);
      }
    });

  let page = stream.first;
  try {
    response.writeHead(200, { ...stream.headers, ...STREAM_HEADERS });
    await send(CONNECTED);
    while (!signal.aborted) {
      if (page.events.length > 0) {
        await stream.admitAgain();
        await send(bytesOf(page));
      }
      const silentMs = performance.now() - sentAtMs;
      if (!page.hasMore) await tenantFeed.wait(page.next, Math.max(0, heartbeatMs - silentMs), signal);
      if (signal.aborted) break;
      if (performance.now() - sentAtMs >= heartbeatMs) {
        await stream.admitAgain();
        await send(HEARTBEAT);
        tenantFeed.refresh();
      }
      page = tenantFeed.take(page.next, filter, size) ?? (await tools.reader.readOn(filter, page.next, size));
    }
    if (signal.reason instanceof Problem) throw signal.reason;
  } catch (error) {
    // The client resumes from the last id it saw; there is no body left to put an error in.
    if (error instanceof ReaderTooSlow) response.destroy();
    else if (!(error instanceof Problem)) tools.log.warn({ err: error }, 'event stream ended early');
    else if (!response.destroyed) response.write(`: closed ${error.status} ${error.message}\n\n`);
  } finally {
    tenantFeed.leave();
  }
  response.end();
  if (response.destroyed) return;
  // A client that does not take the end either is disconnected.
  const grace = setTimeout(() => response.destroy(), stalledReaderMs);
  grace.unref();
  response.once('close', () => clearTimeout(grace));
}

const CONNECTED = Buffer.from(': connected\n\n');
const HEARTBEAT = Buffer.from(': still here\n\n');

/** Made once for all streams that send the page. */
const pageBytes = new WeakMap<FeedPage, Buffer>();

function bytesOf(page: FeedPage): Buffer {
  const known = pageBytes.get(page);
  if (known !== undefined) return known;
  const frames = page.events.map(
    (event) => `id: ${formatCursor(event)}\nevent: ${event.type}\ndata: ${event.body}\n\n`,
  );
  const bytes = Buffer.from(frames.join(''));
  pageBytes.set(page, bytes);
  return bytes;
}
