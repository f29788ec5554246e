import type { FastifyReply } from 'fastify';
import { MAX_EXPORT_ROWS } from '../../platform/csv/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { createCsvExports, csvAnswer } from '../orders/index.ts';
import { exportCustomers } from './export-customers.ts';
import { customerNotFound, findCustomers, getCustomer, spentBy } from './find-customers.ts';
import * as shapes from './schema.ts';
import type { CustomerRow } from './sql/customers.ts';

const tags = ['Customers'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function customerRoutes(app: App, { sql, clock, log }: Platform): void {
  const exports = createCsvExports({ clock, log });

  app.get(
    '/customers/export',
    {
      config: { access: tenant('export', 'Orders') },
      schema: {
        tags,
        operationId: 'exportCustomers',
        summary: `Export customers as CSV, at most ${MAX_EXPORT_ROWS}. X-Truncated says whether there are more`,
        description:
          'Takes the search and the sort of the list, without pages. An organization may run four exports at a time. Requires the export grant of orders.',
        querystring: shapes.CustomerExportQuery,
        response: { 200: csvAnswer('The customers', shapes.CustomerExport), ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const answer = reply as unknown as FastifyReply;
      return exports.send(answer, owner, 'customers', () => exportCustomers(sql, owner, request.query)) as never;
    },
  );

  app.get(
    '/customers',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'listCustomers',
        summary: 'List customers, latest order first',
        description:
          'Counted from the orders, some moments behind them. An account confined to one branch sees the customers who ordered there, with their orders there.',
        querystring: shapes.CustomerQuery,
        response: { 200: shapes.CustomerList, ...refusals },
      },
    },
    async (request) => {
      const { rows, total, paging } = await findCustomers(sql, tenantOf(request), request.query);
      return listEnvelope(rows.map(customerShape), total, paging);
    },
  );

  app.get(
    '/customers/:id',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'getCustomer',
        summary: 'One customer',
        description: '`spent` contains only amounts in `currency`.',
        refuses: [customerNotFound('5b1e2a34-8f0c-5d6e-9a7b-3c4d5e6f7a8b')],
        params: shapes.CustomerParams,
        response: { 200: shapes.Customer, ...refusals },
      },
    },
    async (request) => customerShape(await getCustomer(sql, tenantOf(request), request.params.id)),
  );
}

function customerShape(row: CustomerRow): shapes.CustomerShape {
  return {
    ...row,
    spent: spentBy(row),
    first_order_at: row.first_order_at.toISOString(),
    last_order_at: row.last_order_at.toISOString(),
  };
}
