import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { MAX_EXPORT_ROWS } from '../../../platform/csv/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { localDay } from '../../../platform/local-day.ts';
import type { Platform } from '../../../platform/platform.ts';
import { fileUrlsFor } from '../../files/index.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { createResponseLimiter, sendPieces, whenAnswered } from '../../orders/index.ts';
import { readFilter, readProductSort } from '../read-query.ts';
import { ProductQuery } from '../schema.ts';
import { exportProducts } from './export-products.ts';

/** An export takes little memory, and no connection while its client does not read, but it may take long. */
const EXPORTS = { maxConcurrent: 64, maxConcurrentPerTenant: 4, maxQueuedPerTenant: 0, maxWaitMs: 0 };
const { page, limit, ...filters } = ProductQuery.properties;

export function productExportRoutes(app: App, { sql, clock, log }: Platform): void {
  const exports = createResponseLimiter(EXPORTS);

  app.get(
    '/products/export',
    {
      config: { access: tenant('export', 'Products') },
      schema: {
        tags: ['Products'],
        operationId: 'exportProducts',
        summary: `Export products as CSV, at most ${MAX_EXPORT_ROWS}. X-Truncated says whether there are more`,
        description:
          'Takes the filters and the sort of the list, without pages. The file can be imported again. An organization may run four exports at a time. Requires the export grant.',
        querystring: Type.Object(filters),
        // By content and not by `produces`, because errors are JSON as on every route.
        response: {
          200: {
            description: 'The products',
            headers: {
              'X-Truncated': { type: 'string', enum: ['true', 'false'], description: 'Whether there are more' },
            },
            content: { 'text/csv': { schema: ExportAnswer } },
          },
          '4xx': ProblemSchema,
          '5xx': ProblemSchema,
        },
      },
    },
    async (request, reply) => {
      const { organizationId, timeZone } = tenantOf(request);
      const answer = reply as unknown as FastifyReply;
      const query = {
        filter: readFilter(request.query),
        sort: readProductSort(request.query),
        urlOf: fileUrlsFor(request),
      };
      whenAnswered(answer, await exports.acquire(organizationId));
      const { truncated, csv } = await exportProducts(sql, organizationId, query);
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="products-${localDay(clock.now(), timeZone)}.csv"`)
        .header('x-truncated', String(truncated));
      return sendPieces(answer, csv, log) as never;
    },
  );
}

const ExportAnswer = Type.String({
  description: 'UTF-8 with a byte order mark, CRLF line ends, the first line names the columns',
  examples: ['\uFEFFiv_id,name_en,name_ar,average_price\r\nPAIN-0001,Panadol Advance,بنادول أدفانس,8.75\r\n'],
});
