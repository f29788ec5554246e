/** What a refusal says beside its sentence: by field, or in words. */
export type ErrorDetails = Record<string, unknown> | string | null;

export type ErrorParts = {
  status: number;
  reason: string;
  details?: ErrorDetails;
  requestId?: string;
  retryAfter?: number;
  operation?: string;
  cause?: unknown;
};

/** A call that did not succeed: the service refused it, or no answer came (then `status` is 0). */
export class DukkanError extends Error {
  override readonly name = 'DukkanError';
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** A word for programs that stays the same, such as `order-not-found`; `network` and `timeout` where there was no answer. */
  readonly reason: string;
  readonly details: ErrorDetails;
  /** Report it to the operator of the service. */
  readonly requestId: string | undefined;
  /** Seconds, where the service asks to be left alone for so long. */
  readonly retryAfter: number | undefined;
  readonly operation: string | undefined;

  constructor(message: string, { status, reason, details, requestId, retryAfter, operation, cause }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.reason = reason;
    this.details = details ?? null;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.operation = operation;
  }
}

/** Reads a refusal in any of the forms that come: the guide's, the one of leads, or a proxy's own page. */
export async function readRefusal(response: Response, operation: string): Promise<DukkanError> {
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  const sentence = [body.error, body.message].find((given) => typeof given === 'string' && given !== '');
  const details = body.details as ErrorDetails | undefined;
  return new DukkanError(typeof sentence === 'string' ? sentence : `HTTP ${response.status}`, {
    status: response.status,
    reason: response.headers.get('x-error-reason') ?? `http-${response.status}`,
    details: details ?? (text === '' || sentence !== undefined ? null : text.slice(0, 500)),
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(response.headers.get('retry-after')),
    operation,
  });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Seconds, or the moment as a date, which proxies send. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}
