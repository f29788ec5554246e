import type { ParsedPayload } from '../../channels/contract.ts';
import type { PayloadFault } from './read-payload.ts';
import type { QueuedPayload, Settlement } from './sql/queue.ts';

/** Waits between attempts; one more attempt than there are waits. */
export type RetrySchedule = { retryDelaysSeconds: readonly number[] };

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

/** A notice without its order: the vendor is called next. ParsedPayload it was no failure, so the attempt is taken back. */
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

/** A transient failure is tried again; what cannot be read, and what has been tried often enough, waits for a person. */
export function failed(
  { retryDelaysSeconds }: RetrySchedule,
  row: QueuedPayload,
  reading: Partial<ParsedPayload>,
  { isTransient, ...error }: PayloadFault,
  now: Date,
): Settlement {
  const attempts = row.queue_attempts;
  const delaySeconds = isTransient ? retryDelaysSeconds[attempts - 1] : undefined;
  const dueAt = delaySeconds === undefined ? null : new Date(now.getTime() + delaySeconds * 1000);
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

const ABANDONED: PayloadFault = {
  code: 'abandoned',
  message: 'The service stopped each time this payload was being processed',
  path: '',
  isTransient: false,
};

/** A payload whose every attempt ended with the process: it may be what ends it, and is not tried again by itself. */
export function findExhausted(
  schedule: RetrySchedule,
  rows: readonly QueuedPayload[],
  now: Date,
): { exhausted: Settlement[]; left: QueuedPayload[] } {
  const isExhausted = ({ queue_attempts }: QueuedPayload) => queue_attempts > schedule.retryDelaysSeconds.length + 1;
  return {
    exhausted: rows.filter(isExhausted).map((row) => ({
      ...failed(schedule, row, {}, ABANDONED, now),
      event: row.event,
      externalOrderId: row.external_order_id,
      attempts: row.queue_attempts - 1,
    })),
    left: rows.filter((row) => !isExhausted(row)),
  };
}
