import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import {
  listEnvelope,
  listEnvelopeOf,
  mutationEnvelope,
  mutationEnvelopeOf,
  ProblemSchema,
} from '../../platform/http/envelopes.ts';
import { offsetOf, PageQuery, readPaging } from '../../platform/http/paging.ts';
import { badRequest, conflict, unprocessable } from '../../platform/http/problem.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { matchTransaction } from './match-transaction.ts';
import type { Paying } from './paying.ts';
import { amountDiffers, transactionNotFound } from './refusals.ts';
import * as shapes from './schema.ts';
import { listTransactions } from './sql/transactions.ts';
import { TRANSACTION_STATUSES, transactionShape } from './transaction.ts';

const tags = ['Payments'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function transactionRoutes(app: App, paying: Paying): void {
  const { sql, clock } = paying;

  app.get(
    '/payments/transactions',
    {
      config: { access: tenant('read', 'Payments') },
      schema: {
        tags,
        operationId: 'listTransactions',
        summary: 'What gateways tell of money that moved',
        description:
          'Newest first. A transaction is matched to the order whose id, code or number it names, else to the only order of its amount and currency within ten minutes. An account confined to one branch sees those of the orders of that branch.',
        refuses: [badRequest({ status: `must be one of ${TRANSACTION_STATUSES.join(', ')}` })],
        querystring: Type.Object({
          ...PageQuery,
          provider: Type.Optional(Type.String({ maxLength: 100, description: 'Of this provider only' })),
          status: Type.Optional(Type.Enum([...TRANSACTION_STATUSES], { description: 'In this state only' })),
          unmatched: Type.Optional(Type.Boolean({ description: 'true: only those that no order was found for' })),
        }),
        response: { 200: listEnvelopeOf(shapes.TransactionShape), ...refusals },
      },
    },
    async (request) => {
      const { organizationId, branchId } = tenantOf(request);
      const { provider, status, unmatched = false } = request.query;
      const paging = readPaging(request.query);
      const filter = { organizationId, branchId, provider: provider || undefined, status, unmatched };
      const { rows, total } = await listTransactions(sql, filter, { limit: paging.limit, offset: offsetOf(paging) });
      return listEnvelope(rows.map(transactionShape), total, paging);
    },
  );

  app.post(
    '/payments/transactions/:id/match',
    {
      // What is unmatched belongs to no branch yet.
      config: { access: tenant('update', 'Payments', { branchConfined: 'refused' }) },
      schema: {
        tags,
        operationId: 'matchTransaction',
        summary: 'Say which order a transaction paid',
        description: "A paid or refunded one moves the order's payment_status. The same order again is no mistake.",
        refuses: [
          transactionNotFound(shapes.EXAMPLE_TRANSACTION_ID),
          unprocessable({ order_id: 'does not exist' }),
          conflict('Transaction is matched', {
            id: shapes.EXAMPLE_TRANSACTION_ID,
            order_id: shapes.EXAMPLE_PAYMENT_ORDER_ID,
          }),
          amountDiffers({ amount: 27.5, currency: 'SAR' }, { total_amount: 30, currency: 'SAR' }),
        ],
        params: Type.Object({
          id: Type.String({ description: "The transaction's id", examples: [shapes.EXAMPLE_TRANSACTION_ID] }),
        }),
        body: shapes.MatchBody,
        response: { 200: mutationEnvelopeOf(shapes.TransactionShape), ...refusals },
      },
    },
    async (request) => {
      const { organizationId, actor } = tenantOf(request);
      const row = await matchTransaction(paying, organizationId, request.params.id, request.body.order_id, actor);
      return mutationEnvelope(clock, 'Transaction matched', transactionShape(row));
    },
  );
}
