import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { tooLarge, unprocessable } from '../../../platform/http/problem.ts';
import { judgeFormNames } from '../../../platform/http/unknown-names.ts';
import { compileValidator } from '../../../platform/http/validation.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { QueuedAnswer, queuedAnswer, type TrackedJobs } from '../../jobs/index.ts';
import { deleteUnqueued, markQueued } from '../sql/demand-uploads.ts';
import { MAX_UPLOAD_ROWS } from './collect-demand.ts';
import { DEMAND_COLUMNS } from './demand-columns.ts';
import { fileOf } from './file-of-request.ts';
import { MAX_UPLOAD_BYTES, openDemandUpload, receiveDemandFile, tooManyUploads } from './receive-demand-file.ts';
import { UPLOAD_JOB, type UploadInput } from './run-upload.ts';

const exampleCsv = `${DEMAND_COLUMNS.join(',')}\r\nPAIN-0003_RUH-OLAYA,Panadol Advance,2026-11-01,6,8.75,42,12,4\r\n`;

const FormBody = Type.Object(
  { file: Type.String({ format: 'binary', description: 'The CSV file' }) },
  { title: 'DemandUploadForm', examples: [{ file: exampleCsv }] },
);

export function demandUploadRoutes(app: App, platform: Platform, trackedJobs: TrackedJobs): void {
  const { sql, clock, idempotentWrite } = platform;
  app.register(async (scope: App) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: MAX_UPLOAD_BYTES + 1, fieldSize: 256 * 1024, parts: 20, headerPairs: 100 },
    });
    scope.removeContentTypeParser('application/json');
    // Handed on as it comes: 32 MB are not held in memory.
    scope.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));

    scope.post(
      '/analytics/sensy/upload',
      {
        // Judged while it is read.
        validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : compileValidator(route)),
        config: { access: tenant('import', 'Analytics', { branchConfined: 'refused' }) },
        schema: {
          tags: ['Analytics'],
          operationId: 'uploadDemand',
          summary: `Past sales and stock as CSV, up to ${MAX_UPLOAD_ROWS} rows; done in the background`,
          description:
            "The template's columns in any order, as the form field `file` or as the body itself: UTF-8 with or without a byte order mark, comma or semicolon. `sku_id` (the SKU's iv_id), `sale_date` and `qty` are required; an empty cell of the others changes nothing. A day of a SKU that is there already is replaced, and stands in place of the service's own sales of that day. Good rows are saved, all at once; bad ones are told by line and column in the `result` of the job, the first 1,000 of them. A job whose file has no row that could be used fails, with the same list in the `details` of its `error`. Once the job has succeeded the forecasts are being made anew.",
          takes: ['idempotency-key'],
          refuses: [
            unprocessable({ sale_date: 'this column is missing' }),
            tooLarge({ file: `must be at most ${MAX_UPLOAD_BYTES} bytes` }),
            tooManyUploads(),
          ],
          body: {
            content: {
              'multipart/form-data': { schema: FormBody },
              'text/csv': { schema: Type.String({ title: 'DemandCsvBody', examples: [exampleCsv] }) },
            },
          },
          response: { 202: QueuedAnswer, '4xx': ProblemSchema, '5xx': ProblemSchema },
        },
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

/** Columns are names like any other: those that nothing is done with are told in the answer, or refused where that is asked for. */
function judgeColumns(request: FastifyRequest, ignored: readonly string[]): void {
  judgeFormNames(request, { known: DEMAND_COLUMNS, unknown: ignored, hasKnown: true });
}
