import { Type } from 'typebox';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { Problem } from '../../platform/http/problem.ts';
import { FeedAnswer, FeedQueryString, StreamQueryString } from './schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const cursorExpired = new Problem(410, 'Cursor expired', {
  cursor: '0000000000000042_1794700000',
  earliest_cursor: '0000000000000107_1794729599',
});

export const listOrderChanges = {
  tags,
  operationId: 'listOrderChanges',
  summary: 'Read the change feed: every order event, in order, without gaps',
  description:
    'Repeat the request with `next_cursor` to get every event exactly once. `wait` holds the request until there is an event. Events are kept for 30 days; an older cursor returns 410 with the earliest valid one. A page has at most 500 events and 4 MB.',
  refuses: [cursorExpired],
  querystring: FeedQueryString,
  response: { 200: FeedAnswer, ...refusals },
};

export const streamOrderChanges = {
  tags,
  operationId: 'streamOrderChanges',
  summary: 'Stream the change feed as server-sent events; Last-Event-ID resumes',
  description:
    'Each event has its cursor as `id`, its type as `event` and the JSON of the feed as `data`. A comment is sent every 15 seconds. Without a cursor the stream begins with the oldest stored event, with `cursor=now` at the current end. At most 100 streams per organization.',
  takes: ['last-event-id' as const],
  refuses: [cursorExpired],
  querystring: StreamQueryString,
  produces: ['text/event-stream'],
  response: {
    200: Type.String({ examples: ['id: 0000000000000042_1794700000\nevent: order.created\ndata: {}\n\n'] }),
    ...refusals,
  },
};
