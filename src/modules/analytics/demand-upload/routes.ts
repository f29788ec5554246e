import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { tooLarge } from '../../../platform/http/problem.ts';
import { judgeFormNames } from '../../../platform/http/unknown-names.ts';
import { compileValidator } from '../../../platform/http/validation.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { queuedAnswer, type TrackedJobs } from '../../jobs/index.ts';
import { deleteUnqueued, markQueued } from '../sql/demand-uploads.ts';
import { DEMAND_COLUMNS } from './demand-columns.ts';
import { fileOf } from './file-of-request.ts';
import { MAX_UPLOAD_BYTES, openDemandUpload, receiveDemandFile } from './receive-demand-file.ts';
import * as docs from './route-docs.ts';
import { UPLOAD_JOB, type UploadInput } from './run-upload.ts';

export function demandUploadRoutes(app: App, platform: Platform, trackedJobs: TrackedJobs): void {
  const { sql, clock, idempotentWrite } = platform;
  app.register(async (scope: App) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: MAX_UPLOAD_BYTES + 1, fieldSize: 256 * 1024, parts: 20, headerPairs: 100 },
    });
    scope.removeContentTypeParser('application/json');
    // Streamed: the up to 32 MB are not held in memory.
    scope.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));

    scope.post(
      '/analytics/sensy/upload',
      {
        // Validated while it is read.
        validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : compileValidator(route)),
        config: { access: tenant('import', 'Analytics', { branchConfined: 'refused' }) },
        schema: docs.uploadDemandDoc,
      },
      async (request, reply) => {
        const { organizationId, scope: caller, callerId, actor } = tenantOf(request);
        refuseAnnounced(request);
        const key = await openDemandUpload(sql, clock, organizationId);
        try {
          const file = await receiveDemandFile(sql, key, fileOf(request));
          judgeColumns(request, file.header.ignored);
          return await idempotentWrite(
            request,
            reply as never,
            caller,
            async (tx) => {
              const input: UploadInput = { upload_id: key.id, lines: file.lines, actor };
              const job = {
                organizationId,
                type: UPLOAD_JOB,
                input,
                total: file.lines,
                createdBy: callerId,
                now: clock.now(),
              };
              const { id } = await trackedJobs.start(tx, job);
              await markQueued(tx, key, id);
              return { status: 202, body: queuedAnswer(clock, id) };
            },
            file.sha256,
          );
        } finally {
          await deleteUnqueued(sql, key);
        }
      },
    );
  });
}

function refuseAnnounced({ headers, raw }: FastifyRequest): void {
  // A form has some bytes around its file.
  if (Number(headers['content-length'] ?? 0) <= MAX_UPLOAD_BYTES + 16 * 1024) return;
  raw.resume();
  throw tooLarge({ file: `must be at most ${MAX_UPLOAD_BYTES} bytes` });
}

/** Unknown columns are handled like unknown fields: listed in the response, or rejected when the client asks for that. */
function judgeColumns(request: FastifyRequest, ignored: readonly string[]): void {
  judgeFormNames(request, { known: DEMAND_COLUMNS, unknown: ignored, hasKnown: true });
}
