import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { badRequest } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { EVENT_SPEC_VERSION, EVENT_TYPES } from './event-types.ts';
import { type FeedPage, type FeedRequest, readFeedPage } from './feed.ts';
import type { FeedWaiters } from './feed-waiters.ts';
import { FeedAnswer, FeedQueryString, StreamQueryString } from './schema.ts';
import { streamFeed } from './stream-feed.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const MAX_LIMIT = 500;

export function feedRoutes(app: App, { sql, clock, log }: Platform, waiters: FeedWaiters): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.get(
    '/orders/changes',
    {
      config: { access: tenant('read', 'Orders'), staysOpen: true },
      schema: {
        tags,
        operationId: 'listOrderChanges',
        summary: 'The change feed: every order event, in order, without gaps',
        querystring: FeedQueryString,
        response: { 200: FeedAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const { cursor, limit, wait } = request.query;
      const feed: FeedRequest = {
        ...whose(request),
        cursor,
        types: readTypes(request.query.event_types),
        limit: Math.min(limit ?? 100, MAX_LIMIT),
      };
      const page = await readOrWait(feed, (wait ?? 0) * 1000, endOf(reply.raw, closing.signal));
      // The bodies go out as they are stored; parsing them to print them again could change a byte.
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((text) => text as string)
        .send(feedBody(feed.organizationId, page) as never);
    },
  );

  app.get(
    '/orders/changes/stream',
    {
      config: { access: tenant('read', 'Orders'), staysOpen: true },
      schema: {
        tags,
        operationId: 'streamOrderChanges',
        summary: 'The change feed as server-sent events; Last-Event-ID resumes',
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
      const feed: FeedRequest = {
        ...whose(request),
        cursor: typeof resume === 'string' && resume !== '' ? resume : (request.query.cursor ?? 'now'),
        types: readTypes(request.query.event_types),
        limit: MAX_LIMIT,
      };
      // A wrong or expired cursor is still answered as a plain refusal.
      const first = await readFeedPage(sql, clock, feed);
      await streamFeed({ sql, clock, log, waiters }, feed, first, reply as unknown as FastifyReply, closing.signal);
    },
  );

  async function readOrWait(feed: FeedRequest, waitMs: number, signal: AbortSignal): Promise<FeedPage> {
    const deadlineMs = performance.now() + waitMs;
    let page = await readFeedPage(sql, clock, feed);
    while (page.bodies.length === 0 && !signal.aborted) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) break;
      const from = page.nextCursor;
      const woken = waiters.wait(feed.organizationId, leftMs, signal);
      // Once more after the wait is set up: what came in between would otherwise be slept through.
      page = await readFeedPage(sql, clock, { ...feed, cursor: from });
      if (page.bodies.length > 0) break;
      await woken;
      page = await readFeedPage(sql, clock, { ...feed, cursor: from });
    }
    return page;
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

function endOf(response: FastifyReply['raw'], closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}

function feedBody(organizationId: string, page: FeedPage): string {
  return (
    `{"spec_version":"${EVENT_SPEC_VERSION}","organization_id":"${organizationId}","events":[${page.bodies.join(',')}],` +
    `"next_cursor":"${page.nextCursor}","has_more":${page.hasMore}}`
  );
}
