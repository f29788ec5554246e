import { setTimeout as delay } from 'node:timers/promises';
import {
  type App,
  type AppSettings,
  type Credentials,
  MissingCredentials,
  type VendorAnswer,
  VendorAnswerTooLarge,
  type VendorCall,
  type VendorClient,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import type { Clock } from '../../platform/clock.ts';
import { MAX_JSON_VALUES } from '../../platform/inbound/index.ts';
import { isTooLarge, type RequestOutcome, type Sender } from '../../platform/outbound/index.ts';
import { within } from '../../platform/within.ts';
import { type BoundInstall, requireBoundOrigins } from './secret-origins.ts';
import { findVendorUrl } from './vendor-address.ts';
import { createVendorCallLimiter, type VendorCallLimits } from './vendor-call-limiter.ts';
import {
  type CallBudget,
  type CallState,
  contentOf,
  isTransient,
  mayBeCarriedOut,
  remainingMs,
  secretsOf,
  toAnswer,
} from './vendor-exchange.ts';
import { createVendorTokens, tokenKeyOf, type VendorToken } from './vendor-tokens.ts';

/** The install for which a vendor is called. */
export type CallingInstall = BoundInstall & { id: string; organizationId: string };

/** A channel or a payment provider: the base URL of its API and the credentials of a call. */
export type CalledVendor = {
  app: Pick<App, 'apiBaseUrl' | 'tokenBaseUrl' | 'sendsWebhookSecret'>;
  credentials?: ((settings: AppSettings) => Credentials) | undefined;
};

/**
 * Limits of all calls of one client together: time from now on, bytes of the responses, and values of their JSON. In addition, one
 * response has at most 4 MB and 50,000 values.
 */
export type CallLimits = { withinMs?: number; maxBytes?: number; maxValues?: number };

export type VendorCaller = {
  /** Each call has a deadline of ten seconds in addition. */
  clientFor(install: CallingInstall, vendor: CalledVendor, limits?: CallLimits): VendorClient;
  stats(): { running: number; queued: number };
};

export type VendorCallerOptions = {
  sender: Pick<Sender, 'request'>;
  clock: Clock;
  /** Aborts calls under way. */
  signal?: AbortSignal;
  deadlineMs?: number;
  limits?: VendorCallLimits;
};

const DEADLINE_MS = 10_000;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_RECEIPT_BYTES = 1024 * 1024;
const MAX_TOKEN_BYTES = 64 * 1024;
const PAUSE_MS = 250;
/** Timers of Node end up to 1 ms early: the call after one that used all of the time is not sent. */
const LEAST_MS = 2;
// The slot is held during the pause. A vendor with a longer Retry-After counts as unavailable.
const MAX_PAUSE_MS = 3000;

/**
 * Calls vendors for installs: address, attempts, concurrency, and the meaning of their responses. Waiting for a slot, fetching a
 * token and a second attempt share one deadline.
 */
export function createVendorCaller(options: VendorCallerOptions): VendorCaller {
  const { sender, clock, signal, deadlineMs = DEADLINE_MS } = options;
  const limiter = createVendorCallLimiter(options.limits);
  const tokens = createVendorTokens(clock);

  async function send(
    install: CallingInstall,
    url: URL,
    call: VendorCall,
    carried: Readonly<Record<string, string>>,
    state: CallState,
  ): Promise<RequestOutcome> {
    const { budget } = state;
    const leftMs = remainingMs(state);
    if (leftMs < LEAST_MS) throw new VendorUnavailable('timeout', state.mayHaveArrived);
    const maxResponseBytes = Math.min(call.method === 'GET' ? MAX_LIST_BYTES : MAX_RECEIPT_BYTES, budget.bytes);
    if (maxResponseBytes <= 0) throw new VendorAnswerTooLarge('the responses are too large', state.mayHaveArrived);
    const outcome = await sender.request({
      method: call.method,
      url: url.href,
      ...contentOf(call, carried),
      deadlineMs: leftMs,
      maxResponseBytes,
      isolationKey: install.id,
      signal,
    });
    budget.bytes -= isTooLarge(outcome) ? maxResponseBytes : outcome.body.length;
    return outcome;
  }

  /** At most two attempts; the second only if it is safe and the error is transient. */
  async function attempt(
    install: CallingInstall,
    base: string,
    call: VendorCall,
    carried: Readonly<Record<string, string>>,
    state: CallState,
  ): Promise<VendorAnswer> {
    const url = findVendorUrl(base, call.path, call.query);
    if (url === undefined) throw new VendorUnavailable('the address of the call is not allowed', false);
    const secrets = secretsOf(install.settings, carried);
    const isRepeatable = call.isRepeatable ?? ['GET', 'PUT', 'DELETE'].includes(call.method);

    let outcome = await send(install, url, call, carried, state);
    state.mayHaveArrived ||= mayBeCarriedOut(outcome);
    const pauseMs = (outcome.retryAfterSeconds ?? 0) * 1000 || PAUSE_MS;
    const isSafe = isRepeatable || !state.mayHaveArrived;
    if (isTransient(outcome) && isSafe && pauseMs <= MAX_PAUSE_MS && pauseMs < remainingMs(state)) {
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      outcome = await send(install, url, call, carried, state);
      state.mayHaveArrived ||= mayBeCarriedOut(outcome);
    }
    return toAnswer(outcome, secrets, state);
  }

  async function fetchToken(
    install: CallingInstall,
    base: string,
    { request, read }: Extract<Credentials, { kind: 'token' }>,
  ): Promise<VendorToken> {
    // A deadline of its own: the first caller may have little time left, and others wait for the same token.
    const budget = { bytes: MAX_TOKEN_BYTES, values: MAX_JSON_VALUES };
    const state = { endsAtMs: performance.now() + deadlineMs, mayHaveArrived: false, budget };
    try {
      return read(await attempt(install, base, { ...request, isRepeatable: request.isRepeatable ?? true }, {}, state));
    } catch (error) {
      if (error instanceof VendorRefused) throw error;
      // The call that needs the token has not been made, whatever the outcome of this one.
      const words = error instanceof VendorUnavailable ? error.message : 'the answer has none';
      throw new VendorUnavailable(`token: ${words}`, false);
    }
  }

  async function callWithToken(
    install: CallingInstall,
    base: string,
    call: VendorCall,
    credentials: Extract<Credentials, { kind: 'token' }>,
    state: CallState,
  ): Promise<VendorAnswer> {
    const tokenBase = credentials.request.baseUrl ?? base;
    const key = tokenKeyOf(install.id, tokenBase, credentials.request);
    const getToken = () =>
      inTime(
        tokens.get(key, () => fetchToken(install, tokenBase, credentials)),
        state,
      );

    const token = await getToken();
    try {
      return await attempt(install, base, call, token.headers, state);
    } catch (error) {
      if (!(error instanceof VendorRefused && error.vendorStatus === 401)) throw error;
      // The token expired early or was revoked. A call with 401 was not carried out, so any call may be repeated.
      tokens.forget(key, token);
      const fresh = await getToken();
      return await attempt(install, base, call, fresh.headers, state);
    }
  }

  async function callVendor(
    install: CallingInstall,
    vendor: CalledVendor,
    call: VendorCall,
    { endsAtMs, budget }: { endsAtMs: number; budget: CallBudget },
  ): Promise<VendorAnswer> {
    const base = install.settings.api_base_url || vendor.app.apiBaseUrl;
    if (base === undefined) throw new MissingCredentials('api_base_url');
    const credentials = vendor.credentials?.(install.settings) ?? { kind: 'headers', headers: {} };
    if (credentials.kind === 'missing') throw new MissingCredentials(credentials.setting);
    const tokenBase = credentials.kind === 'token' ? credentials.request.baseUrl : undefined;
    requireBoundOrigins(vendor.app, install, { base, tokenBase });

    const state = { endsAtMs, mayHaveArrived: false, budget };
    const host = URL.parse(base)?.host ?? '';
    const release = await limiter.acquire(
      { tenant: install.organizationId, target: install.id, host },
      remainingMs(state),
    );
    if (typeof release === 'string') throw new VendorUnavailable('too many calls at once', false);
    try {
      return credentials.kind === 'token'
        ? await callWithToken(install, base, call, credentials, state)
        : await attempt(install, base, call, credentials.headers, state);
    } finally {
      release();
    }
  }

  return {
    clientFor(install, vendor, { withinMs, maxBytes = MAX_LIST_BYTES, maxValues = MAX_JSON_VALUES } = {}) {
      const lastMs = withinMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + withinMs;
      const budget = { bytes: maxBytes, values: maxValues };
      return {
        call(call) {
          const endsAtMs = Math.min(lastMs, performance.now() + deadlineMs);
          return callVendor(install, vendor, call, { endsAtMs, budget });
        },
      };
    },
    stats: limiter.stats,
  };
}

function inTime(token: Promise<VendorToken>, state: CallState): Promise<VendorToken> {
  return within(Math.max(0, remainingMs(state)), token, () => {
    throw new VendorUnavailable('token: timeout', state.mayHaveArrived);
  });
}
