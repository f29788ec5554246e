import { classifyDatabaseError, withTenant } from '../../platform/database/index.ts';
import { Problem, problemBody, unprocessable } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { claimJob, finishJob, type JobKey, type Outcome, updateProgress } from './sql/jobs.ts';
import { moveClock } from './sql/turns.ts';

export type TrackingPlatform = Pick<Platform, 'sql' | 'clock' | 'log' | 'jobs'>;

/** As the queue holds it. Jobs queued before tenants took turns have neither type nor turn. */
export type QueuedKey = JobKey & { type?: string; turn?: number };

export type TrackedContext = {
  organizationId: string;
  jobId: string;
  /** The user who asked; null for an API key or the service itself. */
  createdBy: string | null;
  progress(done: number, total: number): Promise<void>;
  /** Fires when the service stops; a handler that lets its error out then runs again elsewhere. */
  signal: AbortSignal;
};

/**
 * Resolves to the result that the caller reads. A Problem is the final result. When the database or the process fails in the middle, the
 * handler runs again from the beginning, so it must be idempotent: its writes are one transaction, or keyed so that a second run
 * changes nothing.
 */
export type TrackedHandler<Input extends object> = (input: Input, context: TrackedContext) => Promise<unknown>;

export async function runTrackedJob<Input extends object>(
  { sql, clock, log }: TrackingPlatform,
  { type, turn, ...key }: QueuedKey,
  handler: TrackedHandler<Input>,
  signal: AbortSignal,
): Promise<void> {
  if (type !== undefined && turn !== undefined) await moveClock(sql, type, turn);
  const job = await claimJob(sql, key, clock.now());
  // Finished by a run that was considered dead, or past its retention.
  if (job === undefined) return;
  const context: TrackedContext = {
    organizationId: key.organizationId,
    jobId: key.id,
    createdBy: job.createdBy,
    progress: (done, total) => updateProgress(sql, key, { done, total, now: clock.now() }),
    signal,
  };

  let outcome: Outcome;
  try {
    outcome = {
      status: 'succeeded',
      result: await withTenant(key.organizationId, () => handler(job.input as Input, context)),
    };
  } catch (error) {
    const refusal = finalRefusal(error, key, signal);
    if (refusal === 'run again') throw error;
    if (refusal.status >= 500) log.error({ err: error, jobId: key.id }, 'tracked job failed');
    outcome = { status: 'failed', error: problemBody(refusal) };
  }
  await finishJob(sql, key, outcome, clock.now());
}

/** After the last retry the job is failed, so that a polling caller does not wait forever. */
export async function deadLetterTrackedJob({ sql, clock }: TrackingPlatform, key: JobKey): Promise<void> {
  await finishJob(sql, key, { status: 'failed', error: problemBody(internalError(key)) }, clock.now());
}

function finalRefusal(error: unknown, key: JobKey, signal: AbortSignal): Problem | 'run again' {
  if (error instanceof Problem) return error;
  if (signal.aborted) return 'run again';
  const fault = classifyDatabaseError(error);
  if (fault.kind === 'unavailable' || fault.kind === 'busy' || fault.kind === 'retry') return 'run again';
  // The message of the direct call.
  if (fault.kind === 'unusable-value') return unprocessable('A value cannot be stored');
  return internalError(key);
}

function internalError({ id }: JobKey): Problem {
  return new Problem(500, 'Internal error', { job_id: id });
}
