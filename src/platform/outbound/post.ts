import type { Network } from './address-policy.ts';
import { createConnectionPools } from './connection-pools.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { type Answer, exchange } from './exchange.ts';
import { TIMEOUT } from './failure-words.ts';
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
  stats(): { targets: number; connections: number };
  /** Lets running posts end, then closes every connection. */
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
const MAX_TARGETS = 1000;
const MAX_ADDRESSES_TRIED = 3;
const MAX_REMEMBERED_URLS = 4096;
const NEXT_ADDRESS_AFTER_MS = 3000;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Posts to addresses that strangers chose. Every call checks the URL, resolves it, checks every answer, and dials
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
  const running = new Set<Promise<PostOutcome>>();
  let closed = false;

  async function attempt(request: PostRequest, deadline: Deadline): Promise<Answer> {
    const destination = findDestination(request.url);
    if (!destination.ok) return failed(`url: ${destination.reason}`);
    const headers = toHeaderList(request.headers);
    if (headers === undefined) return failed('invalid request header');

    const { url, origin, path } = destination;
    const target = destination.literal
      ? await destination.literal
      : await deadline.race(resolveTarget(url.hostname, allowedNetworks, resolve));
    if (target === undefined) return failed(deadline.stopped() ?? TIMEOUT);
    if (!target.ok) return failed(target.error);

    const message = { path, headers, body: request.body };
    const maxResponseBytes = request.maxResponseBytes ?? MAX_RESPONSE_BYTES;
    const addresses = target.addresses.toSorted(ipv4First).slice(0, MAX_ADDRESSES_TRIED);
    let answer = failed('dns: not found');
    for (const [index, address] of addresses.entries()) {
      const ended = deadline.stopped();
      if (ended !== undefined) return failed(ended);
      const isLast = index === addresses.length - 1;
      answer = await exchange(pools.lease({ url, origin, address, lane: request.lane ?? '' }), message, {
        deadline,
        maxResponseBytes,
        giveUpConnectingAfterMs: isLast ? undefined : nextAddressAfterMs,
      });
      if (!answer.mayTryElsewhere) break;
    }
    return answer;
  }

  async function send(request: PostRequest): Promise<PostOutcome> {
    const startedAtMs = performance.now();
    const deadline = startDeadline(request.deadlineMs ?? DEADLINE_MS, request.signal);
    try {
      return toOutcome(await attempt(request, deadline), performance.now() - startedAtMs, now);
    } finally {
      deadline.clear();
    }
  }

  return {
    async post(request) {
      if (closed) return toOutcome(failed('sender closed'), 0, now);
      const sending = send(request);
      running.add(sending);
      try {
        return await sending;
      } finally {
        running.delete(sending);
      }
    },
    stats: pools.stats,
    async close() {
      closed = true;
      // A post still at its lookup has no connection yet, and would open one behind the back of closed pools.
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

function toDestination(input: string, allowedNetworks: readonly Network[]): Destination {
  const checked = checkTargetUrl(input, allowedNetworks);
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
  return { statusCode: undefined, error, retryAfter: undefined, body: Buffer.alloc(0), mayTryElsewhere: false };
}

function toOutcome(answer: Answer, durationMs: number, now: () => Date): PostOutcome {
  const { statusCode } = answer;
  const ok = answer.error === undefined && statusCode !== undefined && statusCode >= 200 && statusCode < 300;
  const isRedirect = statusCode !== undefined && REDIRECTS.has(statusCode);
  const retryAfterSeconds =
    ok || answer.retryAfter === undefined ? undefined : readRetryAfter(answer.retryAfter, now());
  return {
    ok,
    statusCode,
    error: answer.error ?? (isRedirect ? 'redirect not followed' : undefined),
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
