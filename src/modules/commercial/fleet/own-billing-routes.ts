import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { billingDay, listFees, listLedger, type ReadBilling } from '../billing/index.ts';
import { feeShape, ledgerShape } from './money-shapes.ts';
import { LedgerList } from './organizations-schema.ts';
import { OwnBilling, OwnFeeList, OwnPageQuery } from './own-billing-schema.ts';
import { readOwnBilling } from './read-own-billing.ts';

const tags = ['Billing'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
/** Also while suspended: who is to pay must be able to see what. */
const access = tenant('read', 'Settings', { branchConfined: 'refused', whileSuspended: 'allowed' });

/** What a merchant sees of its own account. */
export function ownBillingRoutes(app: App, { sql, clock }: Platform, readBilling: ReadBilling): void {
  app.get(
    '/billing',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'readOwnBilling',
        summary: 'Plan, what is owed, the wallet, and what to do while suspended',
        description: 'Stays available while the organization is suspended.',
        response: { 200: OwnBilling, ...refusals },
      },
    },
    (request) => readOwnBilling(sql, readBilling, tenantOf(request).organizationId),
  );

  app.get(
    '/billing/ledger',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'listOwnLedger',
        summary: 'Every movement of the wallet, newest first',
        description: 'Stays available while the organization is suspended.',
        querystring: OwnPageQuery,
        response: { 200: LedgerList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listLedger(sql, tenantOf(request).organizationId, paging);
      return listEnvelope(rows.map(ledgerShape), total, paging);
    },
  );

  app.get(
    '/billing/fees',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'listOwnFees',
        summary: 'Fees of branches and services, the newest month first',
        description: 'Stays available while the organization is suspended.',
        querystring: OwnPageQuery,
        response: { 200: OwnFeeList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listFees(sql, tenantOf(request).organizationId, paging, billingDay(clock.now()));
      return listEnvelope(rows.map(feeShape), total, paging);
    },
  );
}
