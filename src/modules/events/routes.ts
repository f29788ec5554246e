import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { badRequest } from '../../platform/http/problem.ts';
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
import * as docs from './route-docs.ts';
import type { FeedSettings } from './settings.ts';
import { STREAM_HEADERS, streamFeed } from './stream-feed.ts';
import { createUnsentBytes } from './unsent-bytes.ts';

const MAX_LIMIT = 500;

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
  // Hundreds of requests that one client opens at once, most of them to be refused, are interleaved with those of other tenants.
  const arrivals = createFanOut(settings.readersAtOnce);
  const interleave = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    void arrivals.wake(tenantOf(request).organizationId, [done]);
  };
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.get(
    '/orders/changes',
    {
      config: { access: tenant('read', 'Orders'), staysOpen: true },
      onRequest: interleave,
      schema: docs.listOrderChanges,
    },
    async (request, reply) => {
      const { cursor, limit, wait } = request.query;
      const filter: FeedFilter = { ...scopeOf(request), types: readTypes(request.query.event_types) };
      const size: PageSize = { limit: Math.min(limit ?? 100, MAX_LIMIT), maxBytes: settings.pageBytes };
      reply.raw.once('close', polls.acquire(filter.organizationId));
      let page = await reader.readPage(filter, cursor, size);
      // HEAD does not wait.
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
      onRequest: interleave,
      schema: docs.streamOrderChanges,
    },
    async (request, reply) => {
      const resume = request.headers['last-event-id'];
      const cursor = typeof resume === 'string' && resume !== '' ? resume : request.query.cursor;
      const filter: FeedFilter = { ...scopeOf(request), types: readTypes(request.query.event_types) };
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

function scopeOf(request: FastifyRequest): { organizationId: string; branchId: string | null } {
  const { organizationId, branchId } = tenantOf(request);
  return { organizationId, branchId };
}

function readTypes(filter: string | string[] | undefined): string[] {
  const names = [filter ?? []]
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
