import { reasonOf } from './reason.ts';

/** Details of a refusal: fields with what is wrong with each, or one sentence. */
export type ProblemDetails = Record<string, unknown> | string;

/** A refusal for the client to read. Any other error becomes a 500 without details. */
export class Problem extends Error {
  /** The internal cause; logged, never sent to the client. */
  declare cause?: unknown;
  readonly status: number;
  readonly details: ProblemDetails;
  readonly headers: Record<string, string>;
  /** The stable machine-readable reason, sent as `X-Error-Reason`. */
  reason: string;

  constructor(status: number, message: string, details: ProblemDetails = {}, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.headers = headers;
    this.reason = reasonOf(message);
  }

  /** For refusals whose message does not identify them. */
  named(reason: string): this {
    this.reason = reason;
    return this;
  }

  because(cause: unknown): this {
    this.cause = cause;
    return this;
  }
}

export type ProblemBody = { code: number; error: string; details: ProblemDetails };

export function problemBody(problem: Problem): ProblemBody {
  return { code: problem.status, error: problem.message, details: problem.details };
}

export const badRequest = (details: ProblemDetails, message = 'Invalid request') => new Problem(400, message, details);
export const unauthorized = (details: ProblemDetails) =>
  new Problem(401, 'Valid API key required', details, { 'www-authenticate': 'Bearer' });
export const forbidden = (details: ProblemDetails, message = 'Forbidden') => new Problem(403, message, details);
export const notFound = (message: string, details: ProblemDetails) => new Problem(404, message, details);
export const conflict = (message: string, details: ProblemDetails) => new Problem(409, message, details);
export const tooLarge = (details: ProblemDetails) => new Problem(413, 'Payload too large', details);
export const unprocessable = (details: ProblemDetails, message = 'Validation failed') =>
  new Problem(422, message, details);
export const tooManyRequests = (limit: number, retryAfterMs: number) => {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const details = { limit, retry_after_seconds: seconds };
  return new Problem(429, 'Too many requests', details, { 'retry-after': String(seconds) });
};
export const unavailable = (details: ProblemDetails, retryAfterSeconds = 1) =>
  new Problem(503, 'Service unavailable', details, { 'retry-after': String(retryAfterSeconds) });
