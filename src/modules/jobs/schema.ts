import { Type } from 'typebox';
import { mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';

export const EXAMPLE_JOB_ID = '0193a1f0-7c00-7000-8000-000000000001';
const exampleId = EXAMPLE_JOB_ID;
const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;
const nullableTime = Type.Union([Type.String(), Type.Null()]);

export const JobShape = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    status: Type.Unsafe<(typeof JOB_STATUSES)[number]>({ title: 'JobStatus', type: 'string', enum: [...JOB_STATUSES] }),
    progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }),
    result: Type.Unknown({ description: 'What the direct call would have answered; null until it succeeds' }),
    error: Type.Union([ProblemSchema, Type.Null()], {
      description: 'How the direct call would have been refused; null unless it failed',
    }),
    created: Type.String(),
    updated: Type.String(),
    finished: nullableTime,
  },
  {
    title: 'Job',
    examples: [
      {
        id: exampleId,
        type: 'create-order',
        status: 'failed',
        progress: { done: 0, total: 1 },
        result: null,
        error: { code: 409, error: 'Duplicate source transaction ID', details: { source_transaction_id: 'T-1' } },
        created: '2026-11-15T08:00:00.000Z',
        updated: '2026-11-15T08:00:01.000Z',
        finished: '2026-11-15T08:00:01.000Z',
      },
    ],
  },
);

/** The 202 of every call that was queued instead of done. */
export const QueuedAnswer = Type.Object(
  {
    ...mutationEnvelopeOf(Type.Object({ job_id: Type.String(), status_url: Type.String() })).properties,
  },
  {
    title: 'QueuedAnswer',
    examples: [
      {
        success: true,
        message: 'Queued',
        data: { job_id: exampleId, status_url: `/api/v1/jobs/${exampleId}` },
        timestamp: '2026-11-15T08:00:00.000Z',
      },
    ],
  },
);
