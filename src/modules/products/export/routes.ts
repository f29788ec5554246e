import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { MAX_EXPORT_ROWS } from '../../../platform/csv/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import type { Platform } from '../../../platform/platform.ts';
import { fileUrlsFor } from '../../files/index.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { createCsvExports, csvAnswer } from '../../orders/index.ts';
import { readFilter, readProductSort } from '../read-query.ts';
import { ProductQuery } from '../schema.ts';
import { exportProducts } from './export-products.ts';

const { page, limit, ...filters } = ProductQuery.properties;

export function productExportRoutes(app: App, { sql, clock, log }: Platform): void {
  const exports = createCsvExports({ clock, log });

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
        response: { 200: csvAnswer('The products', ExportAnswer), '4xx': ProblemSchema, '5xx': ProblemSchema },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const answer = reply as unknown as FastifyReply;
      const query = {
        filter: readFilter(request.query),
        sort: readProductSort(request.query),
        urlOf: fileUrlsFor(request),
      };
      return exports.send(answer, owner, 'products', () => exportProducts(sql, owner.organizationId, query)) as never;
    },
  );
}

const ExportAnswer = Type.String({
  description: 'UTF-8 with a byte order mark, CRLF line ends, the first line names the columns',
  examples: ['\uFEFFiv_id,name_en,name_ar,average_price\r\nPAIN-0001,Panadol Advance,بنادول أدفانس,8.75\r\n'],
});
