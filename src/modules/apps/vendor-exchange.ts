import {
  type AppSettings,
  SECRET_SETTINGS,
  type VendorAnswer,
  VendorAnswerTooLarge,
  type VendorCall,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import { MAX_JSON_VALUES, parseCountedJson, Unreadable } from '../../platform/inbound/index.ts';
import { isLasting, isTooLarge, type RequestOutcome } from '../../platform/outbound/index.ts';
import { vendorMessageOf } from './vendor-message.ts';

/** The remaining limits of a client. Concurrent calls share them. */
export type CallBudget = { bytes: number; values: number };

/** The state of one call over all its attempts. */
export type CallState = {
  endsAtMs: number;
  /** Whether an attempt may have been carried out by the vendor. */
  mayHaveArrived: boolean;
  budget: CallBudget;
};

export function remainingMs({ endsAtMs }: CallState): number {
  return endsAtMs - performance.now();
}

/** Headers and body of a call. */
export function contentOf(call: VendorCall, carried: Readonly<Record<string, string>>) {
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

const TRANSIENT_STATUSES = new Set([408, 425, 429]);

function isRefusal({ statusCode = 0 }: RequestOutcome): boolean {
  return statusCode >= 400 && statusCode < 500 && !TRANSIENT_STATUSES.has(statusCode);
}

/** Worth a second attempt. */
export function isTransient(outcome: RequestOutcome): boolean {
  return !outcome.ok && !isRefusal(outcome) && !isLasting(outcome);
}

/** 429 and 425 are sent before the request is carried out. */
export function mayBeCarriedOut({ mayHaveArrived, statusCode }: RequestOutcome): boolean {
  return mayHaveArrived && statusCode !== 429 && statusCode !== 425;
}

/** The response as the client returns it, or the error that it rejects with. */
export function toAnswer(outcome: RequestOutcome, secrets: readonly string[], state: CallState): VendorAnswer {
  const { ok, statusCode: status, error } = outcome;
  if (ok && status !== undefined) return { status, json: jsonWithin(outcome.body, state) };
  if (isTooLarge(outcome)) throw new VendorAnswerTooLarge(error ?? '', state.mayHaveArrived);
  if (status !== undefined && isRefusal(outcome)) {
    throw new VendorRefused(status, vendorMessageOf(outcome.body, secrets) || `status ${status}`);
  }
  throw new VendorUnavailable(error ?? `status ${status}`, state.mayHaveArrived, status !== undefined);
}

/** Counted before it is parsed: 4 MB of `{}` take 100 MB in memory. */
function jsonWithin(body: Buffer, { budget, mayHaveArrived }: CallState): unknown {
  if (body.length === 0) return undefined;
  try {
    const { json, values } = parseCountedJson(body, Math.min(MAX_JSON_VALUES, budget.values));
    budget.values -= values;
    return json;
  } catch (error) {
    // An HTML error page, for example, is a response without JSON.
    if (!(error instanceof Unreadable) || error.code !== 'too_many_values') return undefined;
    throw new VendorAnswerTooLarge('the response holds too many values', mayHaveArrived);
  }
}

/** Values that must not appear in an error message, although vendors quote requests. */
export function secretsOf(settings: AppSettings, carried: Readonly<Record<string, string>>): string[] {
  const values = Object.values(carried).flatMap((value) => [value, ...value.split(' ').slice(1)]);
  return [...values, ...SECRET_SETTINGS.flatMap((name) => settings[name] ?? [])];
}
