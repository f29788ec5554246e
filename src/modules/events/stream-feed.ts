import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import { type FeedPage, type FeedRequest, readFeedPage } from './feed.ts';
import type { FeedWaiters } from './feed-waiters.ts';

/** Proxies cut connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;

/**
 * Writes events as they come, until the client leaves or the service stops. A reader slower than its events is waited
 * for: nothing is read from the database while its socket is full.
 */
export async function streamFeed(
  tools: { sql: Sql; clock: Clock; log: FastifyBaseLogger; waiters: FeedWaiters },
  feed: FeedRequest,
  first: FeedPage,
  reply: FastifyReply,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const { raw } = reply;
  raw.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);

  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(': connected\n\n');

  let page = first;
  try {
    while (!signal.aborted) {
      for (const body of page.bodies) await write(raw, frame(body), signal);
      if (!page.hasMore && page.bodies.length === 0) {
        const woken = tools.waiters.wait(feed.organizationId, HEARTBEAT_MS, signal);
        page = await readFeedPage(tools.sql, tools.clock, { ...feed, cursor: page.nextCursor });
        if (page.bodies.length > 0) continue;
        await woken;
        if (!signal.aborted) await write(raw, ': still here\n\n', signal);
      }
      if (!signal.aborted) page = await readFeedPage(tools.sql, tools.clock, { ...feed, cursor: page.nextCursor });
    }
  } catch (error) {
    // The client resumes from the last id it saw; there is no body left to put an error in.
    tools.log.warn({ err: error }, 'event stream ended early');
  }
  raw.end();
}

function frame(body: string): string {
  const { cursor, type } = JSON.parse(body) as { cursor: string; type: string };
  return `id: ${cursor}\nevent: ${type}\ndata: ${body}\n\n`;
}

function write(raw: FastifyReply['raw'], text: string, signal: AbortSignal): Promise<void> | undefined {
  if (raw.write(text)) return undefined;
  return new Promise((resolve) => {
    const finish = () => {
      raw.off('drain', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    raw.once('drain', finish);
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) finish();
  });
}
