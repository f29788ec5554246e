import type { App } from '../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { customerNotFound, findCustomers, getCustomer } from './find-customers.ts';
import * as shapes from './schema.ts';
import type { CustomerRow } from './sql/customers.ts';

const tags = ['Customers'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function customerRoutes(app: App, { sql }: Platform): void {
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
    first_order_at: row.first_order_at.toISOString(),
    last_order_at: row.last_order_at.toISOString(),
  };
}
