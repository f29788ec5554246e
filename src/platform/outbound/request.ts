import { type Answer, type Message, RESPONSE_TOO_LARGE } from './exchange.ts';
import { readRetryAfter } from './response-reading.ts';

export type OutboundRequest = {
  method: Message['method'];
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
  /** From the lookup to the last byte of the response. */
  deadlineMs: number;
  /** A longer response is an error and is not read further. */
  maxResponseBytes: number;
  /** As in `PostRequest`. */
  isolationKey?: string;
  signal?: AbortSignal | undefined;
};

export type RequestOutcome = {
  /** Complete 2xx response. */
  ok: boolean;
  /** Set together with `error` when the response broke off after the status line. */
  statusCode: number | undefined;
  error: string | undefined;
  /** A byte of the request may have been sent, so the receiver may have processed it. */
  mayHaveArrived: boolean;
  contentType: string | undefined;
  retryAfterSeconds: number | undefined;
  /** The whole body. Empty after an error and for a compressed response, which was not requested. */
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

/** Repeating the request would fail the same way. */
export function isLasting({ error }: RequestOutcome): boolean {
  return error !== undefined && PERMANENT.test(error);
}

export function isTooLarge({ error }: RequestOutcome): boolean {
  return error === RESPONSE_TOO_LARGE;
}

const PERMANENT = new RegExp(
  `^(url: |tls: |address not allowed|invalid request header|redirect not followed|response headers too large|${RESPONSE_TOO_LARGE}|sender closed|aborted)`,
);

// Bodies are never decompressed, so a few bytes cannot expand to gigabytes. The status of such a response is still used.
function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
