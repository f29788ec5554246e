import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Problem } from '../../platform/http/problem.ts';
import { formatCursor } from './cursor.ts';
import type { FeedEvent, FeedFilter, FeedPage, PageSize } from './feed.ts';
import type { FeedHub } from './feed-hub.ts';
import type { FeedReader } from './feed-reader.ts';
import type { FeedSettings } from './settings.ts';

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export type StreamTools = { hub: FeedHub; reader: FeedReader; settings: FeedSettings; log: FastifyBaseLogger };

export type Stream = {
  filter: FeedFilter;
  first: FeedPage;
  size: PageSize;
  headers: OutgoingHttpHeaders;
  /** Throws when the caller may no longer read the feed: asked before anything more is sent. */
  admitAgain(): Promise<void>;
  signal: AbortSignal;
};

/** The client holds the connection and takes nothing from it. */
class ReaderStalled extends Error {}

/**
 * Writes events as they come, until the client leaves, may no longer read them, or the service stops. A reader slower than
 * its events is waited for, with no more in hand than one page; what it misses meanwhile it gets by its own place.
 */
export async function streamFeed(tools: StreamTools, stream: Stream, response: ServerResponse): Promise<void> {
  const { filter, size, signal } = stream;
  const { heartbeatMs, stalledReaderMs } = tools.settings;
  const tenantFeed = tools.hub.join(filter.organizationId);
  let sentAtMs = performance.now();
  const send = async (text: string | Buffer) => {
    await write(response, text, stalledReaderMs, signal);
    sentAtMs = performance.now();
  };

  let page = stream.first;
  try {
    response.writeHead(200, { ...stream.headers, ...STREAM_HEADERS });
    await send(': connected\n\n');
    while (!signal.aborted) {
      for (const event of page.events) await send(frameOf(event));
      const silentMs = performance.now() - sentAtMs;
      if (!page.hasMore) await tenantFeed.wait(page.next, Math.max(0, heartbeatMs - silentMs), signal);
      if (signal.aborted) break;
      await stream.admitAgain();
      if (performance.now() - sentAtMs >= heartbeatMs) {
        await send(': still here\n\n');
        tenantFeed.refresh();
      }
      page = tenantFeed.take(page.next, filter, size) ?? (await tools.reader.readOn(filter, page.next, size));
    }
  } catch (error) {
    // The client resumes from the last id it saw; there is no body left to put an error in.
    if (error instanceof ReaderStalled) response.destroy();
    else if (!(error instanceof Problem)) tools.log.warn({ err: error }, 'event stream ended early');
    else if (!response.destroyed) response.write(`: closed ${error.status} ${error.message}\n\n`);
  } finally {
    tenantFeed.leave();
  }
  response.end();
  if (response.destroyed) return;
  // One that does not take the end either is hung up on.
  const patience = setTimeout(() => response.destroy(), stalledReaderMs);
  patience.unref();
  response.once('close', () => clearTimeout(patience));
}

/** Made once for all streams that send it. */
const frames = new WeakMap<FeedEvent, Buffer>();

function frameOf(event: FeedEvent): Buffer {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = Buffer.from(`id: ${formatCursor(event)}\nevent: ${event.type}\ndata: ${event.body}\n\n`);
  frames.set(event, frame);
  return frame;
}

function write(
  response: ServerResponse,
  text: string | Buffer,
  patienceMs: number,
  signal: AbortSignal,
): Promise<void> | undefined {
  if (signal.aborted || response.destroyed || response.write(text)) return undefined;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(new ReaderStalled()), patienceMs);
    const goOn = () => finish();
    function finish(error?: Error) {
      clearTimeout(timer);
      response.off('drain', goOn);
      signal.removeEventListener('abort', goOn);
      if (error === undefined) resolve();
      else reject(error);
    }
    response.once('drain', goOn);
    signal.addEventListener('abort', goOn, { once: true });
  });
}
