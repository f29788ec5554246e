import { DukkanError, readRefusal } from './error.ts';
import type { CallOptions } from './typing.ts';
import { backoffMs, limitTime, wait } from './waiting.ts';

type Maybe<T> = T | undefined | Promise<T | undefined>;

/**
 * Where the bearer token comes from. After a 401 it is asked once more, with the token that was refused; another one than
 * that is tried.
 */
export type TokenSource = (refused?: string) => Maybe<string>;

export type DukkanOptions = {
  /** The service's address, such as `https://shop.example`; empty for the page's own. */
  baseUrl: string;
  token?: string | TokenSource;
  apiKey?: string;
  /** For accounts of several organizations. */
  organizationId?: string;
  fetch?: typeof fetch;
  /** As fetch has it; browser sessions need `same-origin`, which is what fetch does by itself. */
  credentials?: RequestInit['credentials'];
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** Retries of a failed call where a retry is safe: 4 by default, 0 for none. */
  retries?: number;
  /** Per attempt: 30,000 by default. */
  timeoutMs?: number;
  /** Unknown fields and parameters are refused. True by default. */
  strict?: boolean;
  /** Called before the wait of each retry. */
  onRetry?: (error: DukkanError, delayMs: number) => void;
};

/** A request as it is sent, whatever operation it belongs to. */
export type RawRequest = CallOptions & {
  /** What errors call it. */
  operation?: string;
  method: string;
  /** From `/api/v1` on. */
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  /** The organization; the client's own by default. */
  takesOrganization?: boolean;
};

export type FullAnswer<Data> = { data: Data; status: number; headers: Headers };

export type Transport = ReturnType<typeof createTransport>;

const API_PREFIX = '/api/v1';
const RETRIES = 4;
const TIMEOUT_MS = 30_000;
/** A longer `Retry-After` fails the call instead of delaying it. */
const LONGEST_WAIT_MS = 60_000;
const PASSING = [0, 408, 502, 503, 504];

export function createTransport(options: DukkanOptions) {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '') + API_PREFIX;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const { token } = options;
  const findToken: TokenSource = typeof token === 'function' ? token : () => token;

  /** Sends, repeats where it may, and reads the answer within the time of its attempt. */
  async function send(request: RawRequest): Promise<FullAnswer<unknown>> {
    const retries = request.retries ?? options.retries ?? RETRIES;
    for (let failures = 0; ; ) {
      const limit = limitTime(request.timeoutMs ?? timeoutMs, request.signal);
      let failure: DukkanError;
      try {
        return await readAnswer(await open(request, limit.signal), request);
      } catch (error) {
        failure = explain(error, request, limit.timedOut());
      } finally {
        limit.end();
      }
      failures += 1;
      if (failures > retries || !mayRepeat(failure, request)) throw failure;
      const delayMs = Math.max(backoffMs(failures), (failure.retryAfter ?? 0) * 1000);
      if (delayMs > LONGEST_WAIT_MS) throw failure;
      options.onRetry?.(failure, delayMs);
      await wait(delayMs, request.signal);
      request.signal?.throwIfAborted();
    }
  }

  /** One attempt, up to the beginning of the answer. A refusal is thrown. */
  async function open(request: RawRequest, signal: AbortSignal): Promise<Response> {
    const bearer = await findToken();
    const first = await exchange(request, bearer, signal);
    if (first.ok) return first;
    const refusal = await readRefusal(first, nameOf(request));
    if (first.status === 401 && typeof token === 'function' && bearer !== undefined) {
      const another = await token(bearer);
      if (another !== undefined && another !== bearer) {
        const second = await exchange(request, another, signal);
        if (second.ok) return second;
        throw await readRefusal(second, nameOf(request));
      }
    }
    throw refusal;
  }

  function exchange(request: RawRequest, bearer: string | undefined, signal: AbortSignal): Promise<Response> {
    const { contentType, body } = encodeBody(request.body);
    const headers = new Headers(options.headers);
    const set = (name: string, value: string | undefined) => value !== undefined && headers.set(name, value);
    set('authorization', bearer === undefined || bearer === '' ? undefined : `Bearer ${bearer}`);
    set('x-api-key', options.apiKey);
    if (request.takesOrganization !== false) set('x-organization-id', options.organizationId);
    set('prefer', options.strict === false ? undefined : 'handling=strict');
    set('content-type', contentType);
    set('idempotency-key', request.idempotencyKey);
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    // Looked up now: a page, or a test, may put another one in its place.
    const ask = options.fetch ?? globalThis.fetch;
    return ask(base + request.path + writeQuery(request.query), {
      method: request.method,
      headers,
      signal,
      redirect: 'error',
      ...(body === undefined ? {} : { body }),
      ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    });
  }

  return { send, open, explain };
}

function nameOf({ operation, method, path }: RawRequest): string {
  return operation ?? `${method} ${path}`;
}

/** An aborted call rejects with the reason of its signal; every other failure becomes a DukkanError. */
function explain(error: unknown, request: RawRequest, timedOut: boolean): DukkanError {
  if (error instanceof DukkanError) return error;
  if (request.signal?.aborted) throw request.signal.reason;
  const operation = nameOf(request);
  if (timedOut) return new DukkanError('No answer in time', { status: 0, reason: 'timeout', operation, cause: error });
  const deeper = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const what = deeper instanceof Error ? deeper.message : String(deeper);
  return new DukkanError(`No answer: ${what}`, { status: 0, reason: 'network', operation, cause: error });
}

/**
 * A write is repeated only with an Idempotency-Key, because it may have been executed although the answer was lost. A
 * request answered with 429 was not executed, so any method may be repeated.
 */
function mayRepeat({ status, reason }: DukkanError, { method, idempotencyKey }: RawRequest): boolean {
  if (status === 429) return true;
  if (method !== 'GET' && idempotencyKey === undefined) return false;
  return PASSING.includes(status) || (status === 409 && reason === 'being-changed');
}

async function readAnswer(response: Response, request: RawRequest): Promise<FullAnswer<unknown>> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (status === 204 || status === 205) return { data: undefined, status, headers };
  // No operation answers with a page: a proxy or another server did.
  if (type.includes('html')) throw unreadable('The answer is a page', await response.text(), response, request);
  if (!type.includes('json')) {
    const data = type.startsWith('text/') || type.includes('xml') ? await response.text() : await response.blob();
    return { data, status, headers };
  }
  const text = await response.text();
  try {
    return { data: JSON.parse(text), status, headers };
  } catch (cause) {
    throw unreadable('The answer is not JSON', text, response, request, cause);
  }
}

function unreadable(message: string, text: string, { status }: Response, request: RawRequest, cause?: unknown) {
  const parts = { status, reason: 'unreadable-answer', operation: nameOf(request), cause };
  return new DukkanError(message, { ...parts, details: text.slice(0, 500) });
}

function encodeBody(body: unknown): { contentType?: string; body?: RequestInit['body'] } {
  if (body === undefined) return {};
  // Fetch knows their types, and the boundary of a form.
  if (body instanceof FormData || body instanceof Blob) return { body };
  // The only text that any operation takes.
  if (typeof body === 'string') return { contentType: 'text/csv; charset=utf-8', body };
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

/** Lists are repeated names; what is undefined or null is left out. */
function writeQuery(query: Record<string, unknown> | undefined): string {
  const written = new URLSearchParams();
  for (const [name, given] of Object.entries(query ?? {})) {
    for (const value of [given].flat()) {
      if (value !== undefined && value !== null)
        written.append(name, value instanceof Date ? value.toISOString() : String(value));
    }
  }
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}
