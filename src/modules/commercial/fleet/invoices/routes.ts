import type { FastifyReply } from 'fastify';
import type { App } from '../../../../platform/http/app.ts';
import { listEnvelope } from '../../../../platform/http/envelopes.ts';
import { readPaging } from '../../../../platform/http/paging.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { commercial, tenant, tenantOf } from '../../../identity/index.ts';
import { billingDay } from '../../billing/index.ts';
import { getFleetOrganization } from '../fleet-organization.ts';
import { getInvoice, listInvoices } from './list-invoices.ts';
import { createInvoicePrinter } from './pdf/print-invoice.ts';
import type { Language } from './pdf/words.ts';
import * as docs from './route-docs.ts';
import { invoiceRowShape, invoiceShape } from './schema.ts';

/** Also while suspended: an organization that has to pay must see what for. */
const access = tenant('read', 'Settings', { branchConfined: 'refused', whileSuspended: 'allowed' });

export function invoiceRoutes(app: App, { sql, clock }: Platform): void {
  const today = () => billingDay(clock.now());
  const printer = createInvoicePrinter();
  const sendPdf = async (reply: FastifyReply, organizationId: string, number: string, language: Language = 'ar') => {
    const invoice = invoiceShape(await getInvoice(sql, organizationId, number, today()));
    const pdf = await printer.print(organizationId, { invoice, language });
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${invoice.number}.pdf"`,
        'cache-control': 'private, no-store',
      })
      .send(pdf);
  };

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
    '/billing/invoices/:number/pdf',
    { config: { access }, schema: docs.getOwnInvoicePdfDoc },
    async (request, reply) => {
      const { organizationId } = tenantOf(request);
      const { number } = request.params;
      return sendPdf(reply as unknown as FastifyReply, organizationId, number, request.query.language) as never;
    },
  );

  app.get(
    '/commercial/organizations/:id/invoices/:number/pdf',
    { config: { access: commercial }, schema: docs.getOrganizationInvoicePdfDoc },
    async (request, reply) => {
      const { id } = await getFleetOrganization(sql, request.params.id);
      const { number } = request.params;
      return sendPdf(reply as unknown as FastifyReply, id, number, request.query.language) as never;
    },
  );

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
