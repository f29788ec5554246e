import { notifyAfterCommit } from '../../platform/background/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { mutationEnvelope } from '../../platform/http/envelopes.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { type Ordering, orderPayload } from '../orders/index.ts';
import { invoiceShape } from './invoice.ts';
import { issueInvoice } from './issue-invoice.ts';
import { prepareSale } from './prepare-sale.ts';
import { getInvoice } from './read-invoice.ts';
import * as docs from './route-docs.ts';
import { sell } from './sell.ts';
import { readInvoiceXml } from './sql.ts';
import type { Till } from './till.ts';

export function tillRoutes(app: App, { sql, clock, idempotentWrite }: Platform, ordering: Ordering): void {
  const till: Till = { sql, clock, ordering };

  app.post(
    '/till/orders',
    {
      bodyLimit: BODY_LIMIT_BYTES.order,
      config: { access: tenant('create', 'Orders') },
      schema: docs.sellAtTillDoc,
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const { organizationId, actor } = owner;
      const allowNegative = request.body.allow_negative_stock ?? false;
      const prepared = await prepareSale(till, owner, request.body);
      return notifyAfterCommit(ordering.outbox, () =>
        idempotentWrite(request, reply, owner.scope, async (tx) => {
          const order = await sell(tx, till, organizationId, actor, prepared, { allowNegative });
          const data = { id: order.id, order_number: order.order_code, order: orderPayload(order) };
          return { status: 201, body: mutationEnvelope(clock, 'Sale made', data) };
        }),
      );
    },
  );

  app.post(
    '/orders/:id/invoice',
    {
      config: { access: tenant('create', 'Orders') },
      schema: docs.issueInvoiceDoc,
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const { actor } = owner;
      return notifyAfterCommit(ordering.outbox, () =>
        idempotentWrite(request, reply, owner.scope, async (tx) => {
          const { invoice, isNew } = await issueInvoice(tx, till, owner, actor, request.params.id);
          const message = isNew ? 'Invoice issued' : 'Invoice was issued before';
          return { status: isNew ? 201 : 200, body: mutationEnvelope(clock, message, invoiceShape(invoice)) };
        }),
      );
    },
  );

  app.get(
    '/orders/:id/invoice',
    {
      config: { access: tenant('read', 'Orders') },
      schema: docs.getInvoiceDoc,
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const invoice = await getInvoice(sql, owner, request.params.id);
      if (request.query.format !== 'xml') return invoiceShape(invoice) as never;
      const xml = await readInvoiceXml(sql, owner.organizationId, invoice.order_id);
      return reply
        .header('content-type', 'application/xml; charset=utf-8')
        .serializer((text) => text as string)
        .send(xml as never);
    },
  );
}
