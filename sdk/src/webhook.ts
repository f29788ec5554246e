import { DukkanError } from './error.ts';
import type { WebhookEvent } from './typing.ts';

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
const SIGNATURE_BYTES = 32;
/** The service signs with two secrets at most. Each one costs a hash of the whole body, before the sender is known. */
const MAX_SIGNATURES = 10;

/** As the platform has them: a `Headers`, or an object as Node gives it. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export type VerifyOptions = {
  /** How far the sender's clock may be from yours, either way: 300 by default. */
  toleranceSeconds?: number;
  now?: Date;
};

/**
 * The event that a webhook carries, once it is certain that the service sent it, unchanged and lately; otherwise a DukkanError
 * whose `reason` begins with `webhook-`. Needs the body as it came, before any parser. While a secret is being rotated the
 * service signs with both, so either will do; `secret` may also be a list.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const given = readHeader(headers, 'webhook-signature')
    .split(/,? +/)
    .map(decodeSignature)
    .filter((signature) => signature !== undefined)
    .slice(0, MAX_SIGNATURES);
  if (!/^\d{1,15}$/.test(timestamp)) throw refused('webhook-timestamp', 'The time is not in seconds');
  // Written so that a `now` or a tolerance that is no number refuses.
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw refused(
      'webhook-expired',
      'The time is too far from now: a repeat of an old delivery, or a clock that is wrong',
    );
  }
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : new Uint8Array(rawBody);
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  let matches = false;
  for (const key of await Promise.all([secret].flat().map(importKey))) {
    for (const signature of given) {
      // `verify` compares in constant time, by the standard.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) matches = true;
    }
  }
  if (!matches) throw refused('webhook-signature', 'No signature fits: another secret, or a body that was changed');
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

/** The three headers of a delivery, for testing a receiver. The first secret is the newest. */
export async function signWebhook(
  rawBody: string | Uint8Array,
  { id, secret, now = new Date() }: { id: string; secret: string | readonly string[]; now?: Date },
): Promise<{ 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const signatures: string[] = [];
  for (const key of await Promise.all([secret].flat().map(importKey))) {
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
    signatures.push(`v1,${btoa(String.fromCharCode(...signature))}`);
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function refused(reason: string, message: string): DukkanError {
  return new DukkanError(message, { status: 0, reason });
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findByName(headers, name);
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (text === undefined || text === null || text === '')
    throw refused('webhook-headers', `There is no ${name} header`);
  return text;
}

/** By what it does: frameworks bring a `Headers` of their own. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

function findByName(headers: Record<string, string | string[] | undefined>, name: string) {
  return Object.entries(headers).find(([key, value]) => value !== undefined && key.toLowerCase() === name)?.[1];
}

/** Versions that are not known yet are passed over. */
function decodeSignature(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!text.startsWith('v1,')) return undefined;
  try {
    const bytes = decodeBase64(text.slice('v1,'.length));
    return bytes.length === SIGNATURE_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function importKey(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const wrong = () => refused('webhook-secret', `A signing secret is ${PREFIX} and base64`);
  if (!secret.startsWith(PREFIX)) throw wrong();
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = decodeBase64(secret.slice(PREFIX.length));
  } catch {
    throw wrong();
  }
  // Refused by the platform as well, with an error of its own.
  if (bytes.length === 0) throw wrong();
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
