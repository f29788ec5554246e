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
  /** Connections are shared within a lane only, so that one caller's slow requests never queue in front of another's. */
  lane?: string;
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
  /** Never rejects because of the network or the receiver: whatever goes wrong is in the outcome. */
  post(request: PostRequest): Promise<PostOutcome>;
  /** Likewise, for whoever needs another method or the whole answer. Redirects are not followed either. */
  request(request: OutboundRequest): Promise<RequestOutcome>;
  stats(): { targets: number; connections: number };
  /** Lets what is running end, then closes every connection. */
  close(): Promise<void>;
};

export type SenderOptions = {
  allowedNetworks: readonly Network[];
  /** PEM of one or more authorities to trust beside the built-in ones. */
  extraCa?: string | undefined;
  resolve?: Resolve;
  maxSocketsPerTarget: number;
  maxTargets?: number;
  /** How long one of several addresses may keep us waiting before the next is tried. The last has all the rest. */
  nextAddressAfterMs?: number;
  now: () => Date;
};

const DEADLINE_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024;
// Of a request that is no post: the place in a list that some vendors have one hand back to them takes two thousand.
const MAX_REQUEST_URL_CHARACTERS = 8192;
const MAX_TARGETS = 1000;
const MAX_ADDRESSES_TRIED = 3;
const MAX_REMEMBERED_URLS = 4096;
const NEXT_ADDRESS_AFTER_MS = 3000;

/** A request with its answer's limits, wherever it comes from. */
type Errand = {
  destination: Destination;
  method: Message['method'];
  headers: Readonly<Record<string, string>>;
  body: Message['body'];
  maxResponseBytes: number;
  isWholeBodyWanted: boolean;
  lane: string;
};

/**
 * Calls to addresses that strangers chose. Every call checks the URL, resolves it, checks every answer, and dials
 * exactly a checked address. One call puts at most one request on the wire: it is never repeated on a fresh connection
 * by itself, so whoever keeps a log of attempts knows of every request.
 */
export function createSender(options: SenderOptions): Sender {
  const { allowedNetworks, now, nextAddressAfterMs = NEXT_ADDRESS_AFTER_MS } = options;
  const resolve = options.resolve ?? createHostResolver();
  const pools = createConnectionPools({
    extraCa: options.extraCa,
    maxSocketsPerTarget: options.maxSocketsPerTarget,
    maxTargets: options.maxTargets ?? MAX_TARGETS,
  });
  const findDestination = rememberDestinations((url) => toDestination(url, allowedNetworks));
  const running = new Set<Promise<unknown>>();
  let closed = false;

  async function attempt(errand: Errand, deadline: Deadline): Promise<Answer> {
    const { destination, isWholeBodyWanted, maxResponseBytes, lane } = errand;
    if (!destination.ok) return failed(`url: ${destination.reason}`);
    const headers = toHeaderList(errand.headers);
    if (headers === undefined) return failed('invalid request header');

    const { url, origin, path } = destination;
    const target = destination.literal
      ? await destination.literal
      : await deadline.race(resolveTarget(url.hostname, allowedNetworks, resolve));
    if (target === undefined) return failed(deadline.stopped() ?? TIMEOUT);
    if (!target.ok) return failed(target.error);

    const message = { method: errand.method, path, headers, body: errand.body };
    const addresses = target.addresses.toSorted(ipv4First).slice(0, MAX_ADDRESSES_TRIED);
    let answer = failed('dns: not found');
    for (const [index, address] of addresses.entries()) {
      const ended = deadline.stopped();
      if (ended !== undefined) return failed(ended);
      const isLast = index === addresses.length - 1;
      answer = await exchange(pools.lease({ url, origin, address, lane }), message, {
        deadline,
        maxResponseBytes,
        isWholeBodyWanted,
        giveUpConnectingAfterMs: isLast ? undefined : nextAddressAfterMs,
      });
      if (!answer.mayTryElsewhere) break;
    }
    return answer;
  }

  async function send(errand: Errand, timeoutMs: number, signal: AbortSignal | undefined): Promise<Answer> {
    if (closed) return failed('sender closed');
    const deadline = startDeadline(timeoutMs, signal);
    const sending = attempt(errand, deadline);
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
      const errand: Errand = {
        destination: findDestination(request.url),
        method: 'POST',
        headers: request.headers,
        body: request.body,
        maxResponseBytes: request.maxResponseBytes ?? MAX_RESPONSE_BYTES,
        isWholeBodyWanted: false,
        lane: request.lane ?? '',
      };
      const answer = await send(errand, request.deadlineMs ?? DEADLINE_MS, request.signal);
      return toOutcome(answer, performance.now() - startedAtMs, now);
    },
    async request(request) {
      const errand: Errand = {
        // Not remembered: nearly every one has an id in its path, and would drive out those that come again and again.
        destination: toDestination(request.url, allowedNetworks, MAX_REQUEST_URL_CHARACTERS),
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        maxResponseBytes: request.maxResponseBytes,
        isWholeBodyWanted: true,
        lane: request.lane ?? '',
      };
      return toRequestOutcome(await send(errand, request.deadlineMs, request.signal), now());
    },
    stats: pools.stats,
    async close() {
      closed = true;
      // One still at its lookup has no connection yet, and would open one behind the back of closed pools.
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
      /** An address in place of a name is judged once: there is no lookup that could turn out otherwise. */
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

// The verdict on the text of a URL never changes, and takes 7 to 15 us of an exchange of about 150; only the lookup and
// the check of its answers belong to each attempt.
function rememberDestinations(find: (url: string) => Destination): (url: string) => Destination {
  const destinations = new Map<string, Destination>();
  return (url) => {
    const known = destinations.get(url);
    if (known !== undefined) return known;
    if (destinations.size >= MAX_REMEMBERED_URLS) destinations.clear();
    const destination = find(url);
    destinations.set(url, destination);
    return destination;
  };
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

// Many servers and most containers have no way out over IPv6, while nearly every receiver has an IPv4 address; the
// order within a family stays as DNS gave it.
function ipv4First(left: string, right: string): number {
  return Number(left.includes(':')) - Number(right.includes(':'));
}
