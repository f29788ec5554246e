import type { App } from '../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope } from '../../platform/http/envelopes.ts';
import { offsetOf, readPaging } from '../../platform/http/paging.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { matchTransaction } from './match-transaction.ts';
import type { PaymentContext } from './payment-context.ts';
import * as docs from './route-docs.ts';
import { listTransactions } from './sql/transactions.ts';
import { transactionShape } from './transaction.ts';

export function transactionRoutes(app: App, payments: PaymentContext): void {
  const { sql, clock } = payments;

  app.get(
    '/payments/transactions',
    { config: { access: tenant('read', 'Payments') }, schema: docs.listTransactionsDoc },
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
      // An unmatched transaction belongs to no branch.
      config: { access: tenant('update', 'Payments', { branchConfined: 'refused' }) },
      schema: docs.matchTransactionDoc,
    },
    async (request) => {
      const { organizationId, actor } = tenantOf(request);
      const row = await matchTransaction(payments, organizationId, request.params.id, request.body.order_id, actor);
      return mutationEnvelope(clock, 'Transaction matched', transactionShape(row));
    },
  );
}
