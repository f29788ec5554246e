import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { anyMember, requireGrant, tenantOf } from '../identity/index.ts';
import { JobShape } from './schema.ts';
import { findJob, type JobRow } from './sql/jobs.ts';

const tags = ['Jobs'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const JobParams = Type.Object({
  id: Type.String({ description: 'The job_id of the 202', examples: ['0193a1f0-7c00-7000-8000-000000000001'] }),
});

export function jobsRoutes(app: App, { sql }: Platform): void {
  app.get(
    '/jobs/:id',
    {
      config: { access: anyMember },
      schema: {
        tags,
        operationId: 'getJob',
        summary:
          'How far a queued call is, and its answer once it is done; for who may read what it is about; kept for 30 days',
        description:
          '`result` is what the direct call would have answered, `error` how it would have been refused. Ask again until `finished` is set. Accounts confined to a branch see the jobs they started.',
        refuses: [notFound('Job not found', { id: '0193a1f0-7c00-7000-8000-000000000001' })],
        params: JobParams,
        response: { 200: JobShape, ...refusals },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { organizationId, branchId, callerId } = tenantOf(request);
      // Another caller's job may concern another branch.
      const createdBy = branchId === null ? undefined : callerId;
      const job = isId(id) ? await findJob(sql, { organizationId, id }, createdBy) : undefined;
      if (job === undefined) throw notFound('Job not found', { id });
      requireGrant(request, 'read', job.resource);
      return jobShape(job);
    },
  );
}

function jobShape(job: JobRow) {
  return {
    id: job.id,
    type: job.type,
    status: job.status,
    progress: { done: job.done, total: job.total },
    result: job.result,
    error: job.error,
    created: job.created.toISOString(),
    updated: job.updated.toISOString(),
    finished: job.finished?.toISOString() ?? null,
  };
}
