import type { Example, Header, Parameter } from './document.ts';

type Described = { component: string; name: string; description: string; schema: object; example: string };

/** Headers that requests may carry beside their token. A route names those that it takes in `takes`. */
const REQUEST_HEADERS = {
  'idempotency-key': {
    component: 'IdempotencyKey',
    name: 'Idempotency-Key',
    description:
      'Makes a repeat harmless: the same key with the same request gets the kept answer and `Idempotency-Hit: true`, with another ' +
      'request 422. Kept 48 hours, for the one who sent it. Refusals are not kept.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: 'order-70021-attempt-1',
  },
  'x-async': {
    component: 'Async',
    name: 'X-Async',
    description:
      '`true`, in any case, queues the write and answers 202 with a job to look up; anything else writes at once.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'true',
  },
  'x-organization-id': {
    component: 'OrganizationId',
    name: 'X-Organization-ID',
    description:
      'The organization to act for, when the account belongs to several. Without it, the one of the token. One that is unknown or ' +
      "not the account's is 403.",
    schema: { type: 'string', format: 'uuid' },
    example: '0193a1f0-7c00-7000-8000-000000000001',
  },
  prefer: {
    component: 'Prefer',
    name: 'Prefer',
    description:
      '`handling=strict` refuses fields of the body (422) and query parameters (400) that the service does not know. Without it ' +
      'they are ignored and named in `X-Ignored-Fields`.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  'last-event-id': {
    component: 'LastEventId',
    name: 'Last-Event-ID',
    description: 'The id of the last event that arrived; goes before `cursor`. Browsers send it by themselves.',
    schema: { type: 'string', maxLength: 200 },
    example: '0000000000000042_1794700000',
  },
  'if-match': {
    component: 'IfMatch',
    name: 'If-Match',
    description:
      'The `ETag` of the version that you have read, which is its `updated` (of an order `updated_at`) in quotes. If the resource has changed since, ' +
      'nothing is written: 412 with the current version in `details.current`. Without the header the last write wins.',
    schema: { type: 'string' },
    example: '*',
  },
  'if-none-match': {
    component: 'IfNoneMatch',
    name: 'If-None-Match',
    description: 'The `ETag` of a copy at hand; 304 when it is still right.',
    schema: { type: 'string' },
    example: '"3f0d5e0a62c74f3b"',
  },
} as const satisfies Record<string, Described>;

/** For what may be left out: an example of it is not part of the example request. */
export const shownOnly = (value: unknown): Record<string, Example> => ({ sample: { value, 'x-disabled': true } });

export type RequestHeader = keyof typeof REQUEST_HEADERS;

export const headerParameters: Record<string, Parameter> = Object.fromEntries(
  Object.values(REQUEST_HEADERS).map(({ component, name, description, schema, example }) => [
    component,
    { name, in: 'header', required: false, description, schema, examples: shownOnly(example) } satisfies Parameter,
  ]),
);

export const refToRequestHeader = (header: RequestHeader) => ({
  $ref: `#/components/parameters/${REQUEST_HEADERS[header].component}`,
});

const RESPONSE_HEADERS = {
  'x-request-id': {
    component: 'RequestId',
    description: "The request's own `x-request-id` when it had a usable one, else one made here. It is in the log.",
    schema: { type: 'string' },
    example: 'req-4f7k2a-1c',
  },
  'Idempotency-Hit': {
    component: 'IdempotencyHit',
    description:
      '`true` when this is the kept answer to an earlier request with the same `Idempotency-Key`; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'X-Ignored-Fields': {
    component: 'IgnoredFields',
    description:
      'What the request named and the service does not know: comma-separated, percent-encoded, nested ones by path, at most 2 kB. ' +
      'Absent when there is nothing.',
    schema: { type: 'string' },
    example: 'colour,products.0.note',
  },
  'Retry-After': {
    component: 'RetryAfter',
    description: 'Seconds to wait before trying again.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  'X-Error-Reason': {
    component: 'ErrorReason',
    description:
      'A word for programs that stays the same, such as `branch-not-found` or `missing-grant`. On every refusal.',
    schema: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
    example: 'branch-not-found',
  },
  ETag: {
    component: 'ETag',
    description: 'The version of the resource: its `updated` in quotes. Send it as `If-Match` with a change.',
    schema: { type: 'string' },
    example: '"2026-11-15T08:00:00.000Z"',
  },
  'WWW-Authenticate': {
    component: 'Authenticate',
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

export const responseHeaders: Record<string, Header> = Object.fromEntries(
  Object.values(RESPONSE_HEADERS).map(({ component, ...header }) => [component, header]),
);

export function refsToResponseHeaders(names: readonly ResponseHeader[]) {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${RESPONSE_HEADERS[name].component}` }]),
  );
}
