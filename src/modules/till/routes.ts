import { Type } from 'typebox';
import { notifyAfterCommit } from '../../platform/background/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { type Ordering, orderNotFound, orderPayload } from '../orders/index.ts';
import { invoiceRefusals, orderId } from './examples.ts';
import { invoiceShape } from './invoice.ts';
import { notInvoiceable } from './invoice-refusal.ts';
import { branchMissing, issueInvoice, vatNumberMissing } from './issue-invoice.ts';
import { prepareSale } from './prepare-sale.ts';
import { getInvoice, invoiceNotFound } from './read-invoice.ts';
import * as shapes from './schema.ts';
import { outOfStock, sell } from './sell.ts';
import { readInvoiceXml } from './sql.ts';
import type { Till } from './till.ts';

const tags = ['Till'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({ id: Type.String({ description: "The order's id", examples: [orderId] }) });
const SKU = 'PAIN-0001_RUH-OLAYA';

export function tillRoutes(app: App, { sql, clock, idempotentWrite }: Platform, ordering: Ordering): void {
  const till: Till = { sql, clock, ordering };

  app.post(
    '/till/orders',
    {
      bodyLimit: BODY_LIMIT_BYTES.order,
      config: { access: tenant('create', 'Orders') },
      schema: {
        tags,
        operationId: 'sellAtTill',
        summary: 'Sell over the counter: an order, paid and handed over, and less on the shelf',
        description:
          "Prices are the SKUs', or what a line says, and include VAT: 15 %, or the product's own rate where it has another than 0. " +
          'Order and stock are one transaction, and stock never goes below zero unless allow_negative_stock is true. The order is ' +
          'DELIVERED, completed, Full, in the currency of the organization; its source is till. An account confined to one branch sells there.',
        takes: ['idempotency-key'],
        refuses: [
          unprocessable({ 'lines.0.sku_iv_id': 'does not exist in this branch' }),
          outOfStock([{ ivId: SKU, available: 1 }], new Map([[SKU, '2']])),
        ],
        body: shapes.SaleBody,
        response: { 201: shapes.SaleAnswer, ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'issueInvoice',
        summary: 'Issue the e-invoice of an order',
        description:
          'A simplified tax invoice, numbered without gaps and chained within the branch. Once an order: a repeat is 200 with the same ' +
          'invoice. Refused with 409, taking no number: orders that are cancelled, refunded, not in SAR, or whose amounts do not hold. ' +
          'Lines less discounts plus fees, with vat_amount where prices exclude VAT, must equal the total, and vat_amount must agree with the ' +
          'VAT rates of the goods: details.reason names what does not hold, beside the figures. A VAT of 0 stays 0, and is refused for goods ' +
          "that the catalog taxes. The organization's vat_number has to be set. Makes an order.invoiced event.",
        takes: ['idempotency-key'],
        refuses: [
          orderNotFound(orderId),
          branchMissing(orderId),
          vatNumberMissing(),
          ...invoiceRefusals.map(notInvoiceable),
        ],
        params: IdParams,
        response: { 200: shapes.InvoiceAnswer, 201: shapes.InvoiceAnswer, ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'getInvoice',
        summary: 'The e-invoice of an order, or its XML',
        description:
          'format=xml: UBL 2.1 as ZATCA asks for it in phase 2, without the signature, which needs a certificate of the tax authority. ' +
          'An invoice stays when its order is changed or deleted.',
        refuses: [orderNotFound(orderId), invoiceNotFound(orderId)],
        params: IdParams,
        querystring: shapes.InvoiceQuery,
        response: {
          200: {
            description: 'The invoice',
            content: {
              'application/json': { schema: shapes.Invoice },
              'application/xml': { schema: shapes.InvoiceXml },
            },
          },
          ...refusals,
        },
      },
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
