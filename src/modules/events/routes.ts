import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { badRequest, Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { type RightsWatch, tenant, tenantOf, type WatchedRights } from '../identity/index.ts';
import { formatCursor } from './cursor.ts';
import { EVENT_SPEC_VERSION, EVENT_TYPES } from './event-types.ts';
import { createFanOut } from './fan-out.ts';
import type { FeedFilter, FeedPage, PageSize } from './feed.ts';
import type { FeedHub } from './feed-hub.ts';
import { createFeedReader } from './feed-reader.ts';
import type { OpenRequestLimiter } from './open-request-limiter.ts';
import { waitForEvents } from './poll-feed.ts';
import { FeedAnswer, FeedQueryString, StreamQueryString } from './schema.ts';
import type { FeedSettings } from './settings.ts';
import { STREAM_HEADERS, streamFeed } from './stream-feed.ts';
import { createUnsentBytes } from './unsent-bytes.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const MAX_LIMIT = 500;
const cursorExpired = new Problem(410, 'Cursor expired', {
  cursor: '0000000000000042_1794700000',
  earliest_cursor: '0000000000000107_1794729599',
});

export type FeedTools = {
  hub: FeedHub;
  polls: OpenRequestLimiter;
  streams: OpenRequestLimiter;
  settings: FeedSettings;
  rights: RightsWatch;
};

export function feedRoutes(app: App, platform: Platform, tools: FeedTools): void {
  const { hub, polls, streams, settings, rights } = tools;
  const reader = createFeedReader(platform, settings);
  const unsent = createUnsentBytes(settings.unsentBytesPerTenant, settings.unsentBytes);
  // A client that opens hundreds at once, most of them to be refused, takes turns with everybody else's requests.
  const arrivals = createFanOut(settings.readersAtOnce);
  const takeTurn = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    void arrivals.wake(tenantOf(request).organizationId, [done]);
  };
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.get(
    '/orders/changes',
    {
      config: { access: tenant('read', 'Orders'), staysOpen: true },
      onRequest: takeTurn,
      schema: {
        tags,
        operationId: 'listOrderChanges',
        summary: 'The change feed: every order event, in order, without gaps',
        description:
          'Ask again with `next_cursor` and nothing is missed and nothing comes twice. `wait` holds the request until there is something. Events are kept 30 days; an older cursor is 410 with the earliest one there is. A page has at most 500 events and 4 MB.',
        refuses: [cursorExpired],
        querystring: FeedQueryString,
        response: { 200: FeedAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const { cursor, limit, wait } = request.query;
      const filter: FeedFilter = { ...whose(request), types: readTypes(request.query.event_types) };
      const size: PageSize = { limit: Math.min(limit ?? 100, MAX_LIMIT), maxBytes: settings.pageBytes };
      reply.raw.once('close', polls.acquire(filter.organizationId));
      let page = await reader.readPage(filter, cursor, size);
      // Whoever asks for the headers alone has nothing to wait for.
      if (page.events.length === 0 && wait !== undefined && wait > 0 && request.method !== 'HEAD') {
        const waiting = { hub, reader, heartbeatMs: settings.heartbeatMs };
        const { verify, signal } = watchedUntilClosed(request, reply);
        const until = endOf(reply.raw, closing.signal, signal);
        page = await waitForEvents(waiting, filter, page, size, wait * 1000, verify, until);
      }
      // The bodies go out as they are stored; parsing them to print them again could change a byte.
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((text) => text as string)
        .send(feedBody(filter.organizationId, page) as never);
    },
  );

  app.get(
    '/orders/changes/stream',
    {
      config: { access: tenant('read', 'Orders'), staysOpen: true },
      onRequest: takeTurn,
      schema: {
        tags,
        operationId: 'streamOrderChanges',
        summary: 'The change feed as server-sent events; Last-Event-ID resumes',
        description:
          'Each event has its cursor as id, its type as event and the JSON of the feed as data. A comment comes every 15 seconds. Without a cursor it begins with the oldest event that is kept, with `cursor=now` here. At most 100 streams an organization.',
        takes: ['last-event-id'],
        refuses: [cursorExpired],
        querystring: StreamQueryString,
        produces: ['text/event-stream'],
        response: {
          200: Type.String({ examples: ['id: 0000000000000042_1794700000\nevent: order.created\ndata: {}\n\n'] }),
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const resume = request.headers['last-event-id'];
      const cursor = typeof resume === 'string' && resume !== '' ? resume : request.query.cursor;
      const filter: FeedFilter = { ...whose(request), types: readTypes(request.query.event_types) };
      const size: PageSize = { limit: MAX_LIMIT, maxBytes: settings.streamBytes };
      const { raw } = reply;
      raw.once('close', streams.acquire(filter.organizationId));
      // A wrong or expired cursor is still answered as a plain refusal.
      const first = await reader.readPage(filter, cursor, size);
      // The framework answers HEAD by the same handler; a stream has no end that it could wait for.
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send('');
      const watched = watchedUntilClosed(request, reply);
      const signal = endOf(raw, closing.signal, watched.signal);
      const headers = reply.getHeaders() as OutgoingHttpHeaders;
      reply.hijack();
      const stream = { filter, first, size, headers, admitAgain: watched.verify, signal };
      await streamFeed({ hub, reader, unsent, settings, log: platform.log }, stream, raw);
      return reply;
    },
  );

  function watchedUntilClosed(request: FastifyRequest, { raw }: FastifyReply): WatchedRights {
    const watched = rights.watch(request);
    if (raw.destroyed) watched.release();
    else raw.once('close', watched.release);
    return watched;
  }
}

function whose(request: FastifyRequest): { organizationId: string; branchId: string | null } {
  const { organizationId, branchId } = tenantOf(request);
  return { organizationId, branchId };
}

function readTypes(given: string | string[] | undefined): string[] {
  const names = [given ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.find((name) => !EVENT_TYPES.some((type) => type === name));
  if (unknown !== undefined) throw badRequest({ event_types: `must be among ${EVENT_TYPES.join(', ')}` });
  return [...new Set(names)];
}

function endOf(response: FastifyReply['raw'], ...others: AbortSignal[]): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, ...others]);
}

function feedBody(organizationId: string, page: FeedPage): string {
  const bodies = page.events.map((event) => event.body).join(',');
  return (
    `{"spec_version":"${EVENT_SPEC_VERSION}","organization_id":"${organizationId}","events":[${bodies}],` +
    `"next_cursor":"${formatCursor(page.next)}","has_more":${page.hasMore}}`
  );
}
