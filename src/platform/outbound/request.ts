import { type Answer, type Message, RESPONSE_TOO_LARGE } from './exchange.ts';
import { readRetryAfter } from './response-reading.ts';

export type OutboundRequest = {
  method: Message['method'];
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
  /** From the lookup to the last byte of the answer. */
  deadlineMs: number;
  /** An answer beyond it is an error, and is read no further. */
  maxResponseBytes: number;
  /** Connections are shared within a lane only, so that one caller's slow requests never queue in front of another's. */
  lane?: string;
  signal?: AbortSignal | undefined;
};

export type RequestOutcome = {
  /** Answered with 2xx, to the end. */
  ok: boolean;
  /** There although `error` is, where the answer broke off after it. */
  statusCode: number | undefined;
  error: string | undefined;
  /** A byte of the request may have left, so that it may have been carried out. */
  mayHaveArrived: boolean;
  contentType: string | undefined;
  retryAfterSeconds: number | undefined;
  /** Whole, or empty: with an error, and of an answer that came compressed although it was asked not to be. */
  body: Buffer;
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const EMPTY = Buffer.alloc(0);

export function isRedirect(statusCode: number | undefined): boolean {
  return statusCode !== undefined && REDIRECTS.has(statusCode);
}

export function toRequestOutcome(answer: Answer, now: Date): RequestOutcome {
  const { statusCode, headers } = answer;
  const error = answer.error ?? (isRedirect(statusCode) ? 'redirect not followed' : undefined);
  const isReadable = error === undefined && isPlain(textOf(headers['content-encoding']));
  return {
    ok: error === undefined && statusCode !== undefined && statusCode >= 200 && statusCode < 300,
    statusCode,
    error,
    mayHaveArrived: answer.mayHaveArrived,
    contentType: textOf(headers['content-type']),
    retryAfterSeconds: readRetryAfter(headers['retry-after'], now),
    body: isReadable ? answer.body : EMPTY,
  };
}

/** What was asked for cannot be had by asking again: the answer is what it is. */
export function isLasting({ error }: RequestOutcome): boolean {
  return error !== undefined && LASTING.test(error);
}

export function isTooLarge({ error }: RequestOutcome): boolean {
  return error === RESPONSE_TOO_LARGE;
}

const LASTING = new RegExp(
  `^(url: |tls: |address not allowed|invalid request header|redirect not followed|response headers too large|${RESPONSE_TOO_LARGE}|sender closed|aborted)`,
);

// Nothing here ever unpacks, so a few bytes never become gigabytes; the status of such an answer stands all the same.
function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
