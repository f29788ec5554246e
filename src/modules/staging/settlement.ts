import type { ParsedPayload } from '../../channels/contract.ts';
import { type RetrySchedule, retryDelayMs } from '../../platform/work-queue/index.ts';
import type { UpdateResult } from '../orders/index.ts';
import type { PayloadFault } from './read-payload.ts';
import type { QueuedPayload, Settlement } from './sql/queue.ts';

/** Faults that are reported on a processed payload. */
const AMOUNTS_DIFFER = {
  code: 'amounts_differ',
  message: "The parts do not add up to the vendor's total, which was taken as it is",
  path: '',
};
const LINES_MISSING = {
  code: 'lines_missing',
  message: 'The order has a total and no lines; the vendor has not sent them',
  path: '',
};

const TOO_LARGE: PayloadFault = {
  code: 'too_large',
  message: 'The order is larger than an order may be',
  path: '',
  isTransient: false,
};
const ORDER_UNKNOWN: PayloadFault = {
  code: 'order_unknown',
  message: 'The order that this is about has not come yet',
  path: '',
  isTransient: true,
};
const CONTENDED: PayloadFault = {
  code: 'contended',
  message: 'The order is being written by another request',
  path: '',
  isTransient: true,
};
const ABANDONED: PayloadFault = {
  code: 'abandoned',
  message: 'The service stopped each time this payload was being processed',
  path: '',
  isTransient: false,
};

const about = (reading: Partial<ParsedPayload>) => ({
  event: reading.event?.slice(0, 200) ?? null,
  externalOrderId: orderIdOf(reading) ?? null,
});

function orderIdOf(reading: Partial<ParsedPayload>): string | undefined {
  if ('order' in reading) return reading.order?.id;
  return 'orderId' in reading ? reading.orderId : undefined;
}

export function processed(row: QueuedPayload, reading: ParsedPayload, outcome: Settlement['outcome']): Settlement {
  return {
    row,
    ...about(reading),
    status: 'processed',
    outcome,
    error: null,
    orderId: null,
    attempts: row.queue_attempts,
    dueAt: null,
  };
}

/** A notice without its order: the vendor is called next. Reading it did not fail, so the attempt is not counted. */
export function needsCall(row: QueuedPayload, reading: Partial<ParsedPayload>, now: Date): Settlement {
  return {
    row,
    ...about(reading),
    status: 'pending',
    outcome: '',
    error: null,
    orderId: null,
    attempts: row.queue_attempts - 1,
    dueAt: now,
    stage: 'call',
  };
}

/** A transient failure is retried. What cannot be read, and what failed after the last retry, is dead-lettered as `failed`. */
export function failed(
  retries: RetrySchedule,
  row: QueuedPayload,
  reading: Partial<ParsedPayload>,
  { isTransient, ...error }: PayloadFault,
  now: Date,
): Settlement {
  const attempts = row.queue_attempts;
  const delayMs = isTransient ? retryDelayMs(retries, attempts) : undefined;
  const dueAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs);
  return {
    row,
    ...about(reading),
    status: dueAt === null ? 'failed' : 'pending',
    outcome: '',
    error,
    orderId: null,
    attempts,
    dueAt,
  };
}

/** What became of a payload by what became of its order. */
export function afterUpdate(
  retries: RetrySchedule,
  { row, reading, differs }: { row: QueuedPayload; reading: ParsedPayload; differs: boolean },
  result: UpdateResult | undefined,
  now: Date,
): Settlement {
  switch (result?.outcome) {
    case 'created':
    case 'updated':
    case 'unchanged': {
      const isWithoutLines = reading.kind === 'order' && result.isWithoutLines;
      const error = isWithoutLines ? LINES_MISSING : differs ? AMOUNTS_DIFFER : null;
      return { ...processed(row, reading, result.outcome), orderId: result.orderId, error };
    }
    case 'incomplete': {
      const message = `${result.missing} is missing`;
      return failed(retries, row, reading, { code: 'missing', message, path: result.missing, isTransient: false }, now);
    }
    case 'too-large':
      return failed(retries, row, reading, TOO_LARGE, now);
    case 'unknown':
      return failed(retries, row, reading, ORDER_UNKNOWN, now);
    default:
      return failed(retries, row, reading, CONTENDED, now);
  }
}

/** Payloads whose every attempt ended with the process: the payload may be the cause, so it is not retried automatically. */
export function splitExhausted(
  retries: RetrySchedule,
  rows: readonly QueuedPayload[],
  now: Date,
): { exhausted: Settlement[]; left: QueuedPayload[] } {
  // This claim counted as an attempt, so one more than the schedule allows.
  const isExhausted = ({ queue_attempts }: QueuedPayload) => retryDelayMs(retries, queue_attempts - 1) === undefined;
  return {
    exhausted: rows.filter(isExhausted).map((row) => ({
      ...failed(retries, row, {}, ABANDONED, now),
      event: row.event,
      externalOrderId: row.external_order_id,
      attempts: row.queue_attempts - 1,
    })),
    left: rows.filter((row) => !isExhausted(row)),
  };
}
