import type { Static } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import { mutationEnvelope } from '../../platform/http/envelopes.ts';
import type { QueuedAnswer } from './schema.ts';

/** Goes out with status 202. */
export function queuedAnswer(clock: Clock, jobId: string): Static<typeof QueuedAnswer> {
  return mutationEnvelope(clock, 'Queued', { job_id: jobId, status_url: `/api/v1/jobs/${jobId}` });
}
