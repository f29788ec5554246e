import { setTimeout as delay } from 'node:timers/promises';
import {
  type App,
  type AppSettings,
  type Credentials,
  MissingCredentials,
  SECRET_SETTINGS,
  type VendorAnswer,
  VendorAnswerTooLarge,
  type VendorCall,
  type VendorClient,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import type { Clock } from '../../platform/clock.ts';
import { MAX_JSON_VALUES, parseCountedJson, Unreadable } from '../../platform/inbound/index.ts';
import { isLasting, isTooLarge, type RequestOutcome, type Sender } from '../../platform/outbound/index.ts';
import { within } from '../../platform/within.ts';
import { type BoundInstall, requireBoundOrigins } from './secret-origins.ts';
import { findVendorUrl } from './vendor-address.ts';
import { vendorMessageOf } from './vendor-message.ts';
import { createVendorSlots, type SlotLimits } from './vendor-slots.ts';
import { createVendorTokens, tokenKeyOf, type VendorToken } from './vendor-tokens.ts';

/** Whose vendor is called, and with which settings. */
export type CallingInstall = BoundInstall & { id: string; organizationId: string };

/** A channel, or whatever else knows its vendor's address and what a call to it carries. */
export type CalledVendor = {
  app: Pick<App, 'apiBaseUrl' | 'tokenBaseUrl' | 'sendsWebhookSecret'>;
  credentials?: ((settings: AppSettings) => Credentials) | undefined;
};

/**
 * What all calls of one client may take together: time from now on, bytes of the answers, and values of their JSON. One answer has
 * at most 4 MB and 50,000 values whatever they say.
 */
export type CallLimits = { withinMs?: number; maxBytes?: number; maxValues?: number };

export type VendorCaller = {
  /** Each of its calls has ten seconds besides. */
  clientFor(install: CallingInstall, vendor: CalledVendor, limits?: CallLimits): VendorClient;
  stats(): { running: number; waiting: number };
};

export type VendorCallerOptions = {
  sender: Pick<Sender, 'request'>;
  clock: Clock;
  /** Ends what is under way. */
  signal?: AbortSignal;
  deadlineMs?: number;
  slots?: Partial<SlotLimits>;
};

const DEADLINE_MS = 10_000;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_RECEIPT_BYTES = 1024 * 1024;
const MAX_TOKEN_BYTES = 64 * 1024;
const PAUSE_MS = 250;
// A slot is held meanwhile; whoever is told to come back later than this is unavailable.
const MAX_PAUSE_MS = 3000;

/** What is left of a client's limits. Calls side by side draw on the same. */
type Budget = { bytes: number; values: number };

/** What one call may still take, and what may have become of it so far. */
type Errand = {
  endsAtMs: number;
  mayHaveArrived: boolean;
  budget: Budget;
};

/**
 * Calls vendors for installs: where to, how often, how many at once, and what their answers mean. Waiting for a slot, fetching
 * a token and a second attempt are all within the same time.
 */
export function createVendorCaller(options: VendorCallerOptions): VendorCaller {
  const { sender, clock, signal, deadlineMs = DEADLINE_MS } = options;
  const slots = createVendorSlots(options.slots);
  const tokens = createVendorTokens(clock);

  async function send(
    install: CallingInstall,
    url: URL,
    call: VendorCall,
    carried: Readonly<Record<string, string>>,
    errand: Errand,
  ): Promise<RequestOutcome> {
    const { budget } = errand;
    const maxResponseBytes = Math.min(call.method === 'GET' ? MAX_LIST_BYTES : MAX_RECEIPT_BYTES, budget.bytes);
    if (maxResponseBytes <= 0) throw new VendorAnswerTooLarge('the answers are too large', errand.mayHaveArrived);
    const outcome = await sender.request({
      method: call.method,
      url: url.href,
      ...contentOf(call, carried),
      deadlineMs: Math.max(1, leftMs(errand)),
      maxResponseBytes,
      isolationKey: install.id,
      signal,
    });
    budget.bytes -= isTooLarge(outcome) ? maxResponseBytes : outcome.body.length;
    return outcome;
  }

  /** Twice at most, where the second attempt can do no harm and some good. */
  async function attempt(
    install: CallingInstall,
    base: string,
    call: VendorCall,
    carried: Readonly<Record<string, string>>,
    errand: Errand,
  ): Promise<VendorAnswer> {
    const url = findVendorUrl(base, call.path, call.query);
    if (url === undefined) throw new VendorUnavailable('the address of the call is not allowed', false);
    const secrets = secretsOf(install.settings, carried);
    const isRepeatable = call.isRepeatable ?? ['GET', 'PUT', 'DELETE'].includes(call.method);

    let outcome = await send(install, url, call, carried, errand);
    errand.mayHaveArrived ||= mayBeCarriedOut(outcome);
    const pauseMs = (outcome.retryAfterSeconds ?? 0) * 1000 || PAUSE_MS;
    const isSafe = isRepeatable || !errand.mayHaveArrived;
    if (isPassing(outcome) && isSafe && pauseMs <= MAX_PAUSE_MS && pauseMs < leftMs(errand)) {
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      outcome = await send(install, url, call, carried, errand);
      errand.mayHaveArrived ||= mayBeCarriedOut(outcome);
    }
    return toAnswer(outcome, secrets, errand);
  }

  async function fetchToken(
    install: CallingInstall,
    base: string,
    { request, read }: Extract<Credentials, { kind: 'token' }>,
  ): Promise<VendorToken> {
    // Time of its own: whoever asked first may have little left, and others wait for the same token.
    const budget = { bytes: MAX_TOKEN_BYTES, values: MAX_JSON_VALUES };
    const errand = { endsAtMs: performance.now() + deadlineMs, mayHaveArrived: false, budget };
    try {
      return read(await attempt(install, base, { ...request, isRepeatable: request.isRepeatable ?? true }, {}, errand));
    } catch (error) {
      if (error instanceof VendorRefused) throw error;
      // Whatever became of it, the call that needed the token has not been made.
      const words = error instanceof VendorUnavailable ? error.message : 'the answer has none';
      throw new VendorUnavailable(`token: ${words}`, false);
    }
  }

  async function callWithToken(
    install: CallingInstall,
    base: string,
    call: VendorCall,
    credentials: Extract<Credentials, { kind: 'token' }>,
    errand: Errand,
  ): Promise<VendorAnswer> {
    const tokenBase = credentials.request.baseUrl ?? base;
    const key = tokenKeyOf(install.id, tokenBase, credentials.request);
    const getToken = () =>
      inTime(
        tokens.get(key, () => fetchToken(install, tokenBase, credentials)),
        errand,
      );

    const token = await getToken();
    try {
      return await attempt(install, base, call, token.headers, errand);
    } catch (error) {
      if (!(error instanceof VendorRefused && error.vendorStatus === 401)) throw error;
      // It ended before its time, or was taken back. A call that was not let in may be made again, whatever it is.
      tokens.forget(key, token);
      const fresh = await getToken();
      return await attempt(install, base, call, fresh.headers, errand);
    }
  }

  async function callVendor(
    install: CallingInstall,
    vendor: CalledVendor,
    call: VendorCall,
    { endsAtMs, budget }: { endsAtMs: number; budget: Budget },
  ): Promise<VendorAnswer> {
    const base = install.settings.api_base_url || vendor.app.apiBaseUrl;
    if (base === undefined) throw new MissingCredentials('api_base_url');
    const credentials = vendor.credentials?.(install.settings) ?? { kind: 'headers', headers: {} };
    if (credentials.kind === 'missing') throw new MissingCredentials(credentials.setting);
    const tokenBase = credentials.kind === 'token' ? credentials.request.baseUrl : undefined;
    requireBoundOrigins(vendor.app, install, { base, tokenBase });

    const errand = { endsAtMs, mayHaveArrived: false, budget };
    const host = URL.parse(base)?.host ?? '';
    const leave = await slots.enter(
      { organizationId: install.organizationId, installId: install.id, host },
      leftMs(errand),
    );
    if (leave === undefined) throw new VendorUnavailable('too many calls at once', false);
    try {
      return credentials.kind === 'token'
        ? await callWithToken(install, base, call, credentials, errand)
        : await attempt(install, base, call, credentials.headers, errand);
    } finally {
      leave();
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
    stats: slots.stats,
  };
}

function leftMs({ endsAtMs }: Errand): number {
  return endsAtMs - performance.now();
}

function inTime(token: Promise<VendorToken>, errand: Errand): Promise<VendorToken> {
  return within(Math.max(0, leftMs(errand)), token, () => {
    throw new VendorUnavailable('token: timeout', errand.mayHaveArrived);
  });
}

function contentOf(call: VendorCall, carried: Readonly<Record<string, string>>) {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'dukkan' };
  let body: string | undefined;
  if (call.json !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(call.json);
  } else if (call.form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    body = new URLSearchParams(call.form).toString();
  }
  for (const more of [carried, call.headers ?? {}]) {
    for (const [name, value] of Object.entries(more)) headers[name.toLowerCase()] = value;
  }
  return { headers, body };
}

const PASSING_REFUSALS = new Set([408, 425, 429]);

function isRefusal({ statusCode = 0 }: RequestOutcome): boolean {
  return statusCode >= 400 && statusCode < 500 && !PASSING_REFUSALS.has(statusCode);
}

function isPassing(outcome: RequestOutcome): boolean {
  return !outcome.ok && !isRefusal(outcome) && !isLasting(outcome);
}

// Too many, and too early, are said before anything is done.
function mayBeCarriedOut({ mayHaveArrived, statusCode }: RequestOutcome): boolean {
  return mayHaveArrived && statusCode !== 429 && statusCode !== 425;
}

function toAnswer(outcome: RequestOutcome, secrets: readonly string[], errand: Errand): VendorAnswer {
  const { ok, statusCode: status, error } = outcome;
  if (ok && status !== undefined) return { status, json: jsonWithin(outcome.body, errand) };
  if (isTooLarge(outcome)) throw new VendorAnswerTooLarge(error ?? '', errand.mayHaveArrived);
  if (status !== undefined && isRefusal(outcome)) {
    throw new VendorRefused(status, vendorMessageOf(outcome.body, secrets) || `status ${status}`);
  }
  throw new VendorUnavailable(error ?? `status ${status}`, errand.mayHaveArrived);
}

/** Counted before anything is made of it: four megabytes of `{}` are a hundred in memory. */
function jsonWithin(body: Buffer, { budget, mayHaveArrived }: Errand): unknown {
  if (body.length === 0) return undefined;
  try {
    const { json, values } = parseCountedJson(body, Math.min(MAX_JSON_VALUES, budget.values));
    budget.values -= values;
    return json;
  } catch (error) {
    // A page of apologies, say, is an answer without JSON.
    if (!(error instanceof Unreadable) || error.code !== 'too_many_values') return undefined;
    throw new VendorAnswerTooLarge('the answer holds too many values', mayHaveArrived);
  }
}

function secretsOf(settings: AppSettings, carried: Readonly<Record<string, string>>): string[] {
  const values = Object.values(carried).flatMap((value) => [value, ...value.split(' ').slice(1)]);
  return [...values, ...SECRET_SETTINGS.flatMap((name) => settings[name] ?? [])];
}
