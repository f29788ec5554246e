import type { App } from '../../../platform/http/app.ts';
import { listEnvelope } from '../../../platform/http/envelopes.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { billingDay, listFees, listLedger, type ReadBilling } from '../billing/index.ts';
import { feeShape, ledgerShape } from './money-shapes.ts';
import * as docs from './own-billing-route-docs.ts';
import { readOwnBilling } from './read-own-billing.ts';

/** Also while suspended: an organization that has to pay must see what it owes. */
const access = tenant('read', 'Settings', { branchConfined: 'refused', whileSuspended: 'allowed' });

/** What a merchant sees of its own account. */
export function ownBillingRoutes(
  app: App,
  { sql, clock }: Platform,
  { readBilling, payments }: { readBilling: ReadBilling; payments: 'off' | 'sandbox' },
): void {
  app.get('/billing', { config: { access }, schema: docs.readOwnBillingDoc }, (request) =>
    readOwnBilling(sql, readBilling, tenantOf(request).organizationId, payments),
  );

  app.get('/billing/ledger', { config: { access }, schema: docs.listOwnLedgerDoc }, async (request) => {
    const paging = readPaging(request.query);
    const { rows, total } = await listLedger(sql, tenantOf(request).organizationId, paging);
    return listEnvelope(rows.map(ledgerShape), total, paging);
  });

  app.get('/billing/fees', { config: { access }, schema: docs.listOwnFeesDoc }, async (request) => {
    const paging = readPaging(request.query);
    const { rows, total } = await listFees(sql, tenantOf(request).organizationId, paging, billingDay(clock.now()));
    return listEnvelope(rows.map(feeShape), total, paging);
  });
}
