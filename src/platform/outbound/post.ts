import { LRUCache } from 'lru-cache';
import { isTracing, SPAN_KIND, traced } from '../tracing/tracing.ts';
import type { Network } from './address-policy.ts';
import { createConnectionPools } from './connection-pools.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { type Answer, exchange, type Message } from './exchange.ts';
import { TIMEOUT } from './failure-words.ts';
import { isRedirect, type OutboundRequest, type RequestOutcome, toRequestOutcome } from './request.ts';
import { toHeaderList } from './request-headers.ts';
import { createHostResolver, type Resolve } from './resolve-host.ts';
import { readRetryAfter, toExcerpt } from './response-reading.ts';
import { type CheckedAddresses, checkTargetUrl, findIpLiteral, resolveTarget } from './target-url.ts';

export type PostRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
  deadlineMs?: number;
  maxResponseBytes?: number;
  /** Connections are shared only between requests of the same isolation key, so that slow requests of one caller do not delay another's. */
  isolationKey?: string;
  signal?: AbortSignal;
};

export type PostOutcome = {
  ok: boolean;
  statusCode: number | undefined;
  error: string | undefined;
  durationMs: number;
  responseExcerpt: string;
  retryAfterSeconds?: number;
};

export type Sender = {
  /** Never rejects because of the network or the receiver: failures are part of the outcome. */
  post(request: PostRequest): Promise<PostOutcome>;
  /** The same for other methods and for callers that need the whole response. Redirects are not followed either. */
  request(request: OutboundRequest): Promise<RequestOutcome>;
  stats(): { targets: number; connections: number };
  /** Waits for running requests, then closes every connection. */
  close(): Promise<void>;
};

export type SenderOptions = {
  allowedNetworks: readonly Network[];
  /** PEM of one or more certificate authorities to trust in addition to the built-in ones. */
  extraCa?: string | undefined;
  resolve?: Resolve;
  maxSocketsPerTarget: number;
  maxTargets?: number;
  /** How long to wait for a connection to one of several addresses before the next is tried. The last gets the remaining time. */
  nextAddressAfterMs?: number;
  now: () => Date;
};

const DEADLINE_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024;
// For `request`: list cursors of some vendors take two thousand characters of the URL.
const MAX_REQUEST_URL_CHARACTERS = 8192;
const MAX_TARGETS = 1000;
const MAX_ADDRESSES_TRIED = 3;
const MAX_CACHED_URLS = 4096;
const NEXT_ADDRESS_AFTER_MS = 3000;

/** A checked request with the limits of its response. */
type Attempt = {
  destination: Destination;
  method: Message['method'];
  headers: Readonly<Record<string, string>>;
  body: Message['body'];
  maxResponseBytes: number;
  isWholeBodyWanted: boolean;
  isolationKey: string;
};

/**
 * HTTP client for URLs chosen by tenants (SSRF protection). Every call checks the URL, resolves the host, checks every
 * address and connects to a checked address only. One call sends at most one request: it is never repeated automatically
 * on a fresh connection, so a log of calls is a log of requests.
 */
export function createSender(options: SenderOptions): Sender {
  const { allowedNetworks, now, nextAddressAfterMs = NEXT_ADDRESS_AFTER_MS } = options;
  const resolve = options.resolve ?? createHostResolver();
  const pools = createConnectionPools({
    extraCa: options.extraCa,
    maxSocketsPerTarget: options.maxSocketsPerTarget,
    maxTargets: options.maxTargets ?? MAX_TARGETS,
  });
  // The verdict on the text of a URL never changes and takes 7 to 15 us of an exchange of about 150. Lookup and address
  // checks are repeated for every attempt.
  const destinations = new LRUCache<string, Destination>({
    max: MAX_CACHED_URLS,
    memoMethod: (url) => toDestination(url, allowedNetworks),
  });
  const running = new Set<Promise<unknown>>();
  let closed = false;

  async function exchangeWith(attempt: Attempt, deadline: Deadline): Promise<Answer> {
    const { destination, isWholeBodyWanted, maxResponseBytes, isolationKey } = attempt;
    if (!destination.ok) return failed(`url: ${destination.reason}`);
    const headers = toHeaderList(attempt.headers);
    if (headers === undefined) return failed('invalid request header');

    const { url, origin, path } = destination;
    const target = destination.literal
      ? await destination.literal
      : await deadline.race(resolveTarget(url.hostname, allowedNetworks, resolve));
    if (target === undefined) return failed(deadline.stopped() ?? TIMEOUT);
    if (!target.ok) return failed(target.error);

    const message = { method: attempt.method, path, headers, body: attempt.body };
    const addresses = target.addresses.toSorted(ipv4First).slice(0, MAX_ADDRESSES_TRIED);
    let answer = failed('dns: not found');
    for (const [index, address] of addresses.entries()) {
      const ended = deadline.stopped();
      if (ended !== undefined) return failed(ended);
      const isLast = index === addresses.length - 1;
      answer = await exchange(pools.lease({ url, origin, address, isolationKey }), message, {
        deadline,
        maxResponseBytes,
        isWholeBodyWanted,
        connectTimeoutMs: isLast ? undefined : nextAddressAfterMs,
      });
      if (!answer.mayTryElsewhere) break;
    }
    return answer;
  }

  /** Without path and query, which may hold a secret. */
  function traceExchange(attempt: Attempt, deadline: Deadline): Promise<Answer> {
    const host = attempt.destination.ok ? attempt.destination.url.host : 'refused';
    const attributes = { 'http.request.method': attempt.method, 'server.address': host };
    return traced(`${attempt.method} ${host}`, SPAN_KIND.client, attributes, async () => {
      const answer = await exchangeWith(attempt, deadline);
      Object.assign(attributes, { 'http.response.status_code': answer.statusCode, 'error.type': answer.error });
      return answer;
    });
  }

  async function send(attempt: Attempt, timeoutMs: number, signal: AbortSignal | undefined): Promise<Answer> {
    if (closed) return failed('sender closed');
    const deadline = startDeadline(timeoutMs, signal);
    const sending = isTracing() ? traceExchange(attempt, deadline) : exchangeWith(attempt, deadline);
    running.add(sending);
    try {
      return await sending;
    } finally {
      running.delete(sending);
      deadline.clear();
    }
  }

  return {
    async post(request) {
      const startedAtMs = performance.now();
      const attempt: Attempt = {
        destination: destinations.memo(request.url),
        method: 'POST',
        headers: request.headers,
        body: request.body,
        maxResponseBytes: request.maxResponseBytes ?? MAX_RESPONSE_BYTES,
        isWholeBodyWanted: false,
        isolationKey: request.isolationKey ?? '',
      };
      const answer = await send(attempt, request.deadlineMs ?? DEADLINE_MS, request.signal);
      return toOutcome(answer, performance.now() - startedAtMs, now);
    },
    async request(request) {
      const attempt: Attempt = {
        // Not cached: nearly every URL has an id in its path and would evict the URLs that repeat.
        destination: toDestination(request.url, allowedNetworks, MAX_REQUEST_URL_CHARACTERS),
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        maxResponseBytes: request.maxResponseBytes,
        isWholeBodyWanted: true,
        isolationKey: request.isolationKey ?? '',
      };
      return toRequestOutcome(await send(attempt, request.deadlineMs, request.signal), now());
    },
    stats: pools.stats,
    async close() {
      closed = true;
      // A request still resolving its host would otherwise open a connection after the pools are closed.
      await Promise.allSettled(running);
      await pools.close();
    },
  };
}

type Destination =
  | {
      ok: true;
      url: URL;
      origin: string;
      path: string;
      /** Set when the host is an IP address: it is checked once, since no lookup can change it. */
      literal: Promise<CheckedAddresses> | undefined;
    }
  | { ok: false; reason: string };

function toDestination(input: string, allowedNetworks: readonly Network[], maxCharacters?: number): Destination {
  const checked = checkTargetUrl(input, allowedNetworks, maxCharacters);
  if (!checked.ok) return checked;
  const { url } = checked;
  const isLiteral = findIpLiteral(url.hostname) !== undefined;
  const literal = isLiteral ? resolveTarget(url.hostname, allowedNetworks, async () => []) : undefined;
  return { ok: true, url, origin: url.origin, path: `${url.pathname}${url.search}`, literal };
}

function failed(error: string): Answer {
  return {
    statusCode: undefined,
    error,
    headers: {},
    body: Buffer.alloc(0),
    mayHaveArrived: false,
    mayTryElsewhere: false,
  };
}

function toOutcome(answer: Answer, durationMs: number, now: () => Date): PostOutcome {
  const { statusCode } = answer;
  const ok = answer.error === undefined && statusCode !== undefined && statusCode >= 200 && statusCode < 300;
  const retryAfter = answer.headers['retry-after'];
  const retryAfterSeconds = ok || retryAfter === undefined ? undefined : readRetryAfter(retryAfter, now());
  return {
    ok,
    statusCode,
    error: answer.error ?? (isRedirect(statusCode) ? 'redirect not followed' : undefined),
    durationMs: Math.round(durationMs),
    responseExcerpt: toExcerpt(answer.body),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

// Many servers and most containers have no IPv6 route, while nearly every receiver has an IPv4 address. The order
// within a family stays as DNS returned it.
function ipv4First(left: string, right: string): number {
  return Number(left.includes(':')) - Number(right.includes(':'));
}
