import type { App } from '../../../../platform/http/app.ts';
import { listEnvelope } from '../../../../platform/http/envelopes.ts';
import { readPaging } from '../../../../platform/http/paging.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { commercial, tenant, tenantOf } from '../../../identity/index.ts';
import { billingDay } from '../../billing/index.ts';
import { getFleetOrganization } from '../fleet-organization.ts';
import { getInvoice, listInvoices } from './list-invoices.ts';
import * as docs from './route-docs.ts';
import { invoiceRowShape, invoiceShape } from './schema.ts';

/** Also while suspended: an organization that has to pay must see what for. */
const access = tenant('read', 'Settings', { branchConfined: 'refused', whileSuspended: 'allowed' });

export function invoiceRoutes(app: App, { sql, clock }: Platform): void {
  const today = () => billingDay(clock.now());

  app.get('/billing/invoices', { config: { access }, schema: docs.listOwnInvoicesDoc }, async (request) => {
    const paging = readPaging(request.query);
    const { rows, total } = await listInvoices(sql, tenantOf(request).organizationId, paging, today());
    return listEnvelope(rows.map(invoiceRowShape), total, paging);
  });

  app.get('/billing/invoices/:number', { config: { access }, schema: docs.getOwnInvoiceDoc }, async (request) => {
    const { organizationId } = tenantOf(request);
    return invoiceShape(await getInvoice(sql, organizationId, request.params.number, today()));
  });

  app.get(
    '/commercial/organizations/:id/invoices',
    { config: { access: commercial }, schema: docs.listOrganizationInvoicesDoc },
    async (request) => {
      const { id } = await getFleetOrganization(sql, request.params.id);
      const paging = readPaging(request.query);
      const { rows, total } = await listInvoices(sql, id, paging, today());
      return listEnvelope(rows.map(invoiceRowShape), total, paging);
    },
  );
}
