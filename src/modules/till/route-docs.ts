import { Type } from 'typebox';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import { orderNotFound } from '../orders/index.ts';
import { invoiceRefusals, orderId } from './examples.ts';
import { notInvoiceable } from './invoice-refusal.ts';
import { branchMissing, vatNumberMissing } from './issue-invoice.ts';
import { invoiceNotFound } from './read-invoice.ts';
import * as shapes from './schema.ts';
import { outOfStock } from './sell.ts';

const tags = ['Till'];
const problems = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({ id: Type.String({ description: "The order's id", examples: [orderId] }) });
const SKU = 'PAIN-0001_RUH-OLAYA';

export const sellAtTillDoc = {
  tags,
  operationId: 'sellAtTill',
  summary: 'Sell over the counter: creates a paid, delivered order and reduces the stock',
  description:
    "The price is the line's, otherwise the SKU's, and includes VAT: 15 %, or the product's own rate if it is not 0. " +
    'Order and stock are written in one transaction; stock never goes below zero unless allow_negative_stock is true. The order is ' +
    'DELIVERED, completed, Full, in the currency of the organization; its source is till. An account confined to one branch sells in that branch.',
  takes: ['idempotency-key'] as const,
  refuses: [
    unprocessable({ 'lines.0.sku_iv_id': 'does not exist in this branch' }),
    outOfStock([{ ivId: SKU, available: 1 }], new Map([[SKU, '2']])),
  ],
  body: shapes.SaleBody,
  response: { 201: shapes.SaleAnswer, ...problems },
};

export const issueInvoiceDoc = {
  tags,
  operationId: 'issueInvoice',
  summary: 'Issue the e-invoice of an order',
  description:
    'A simplified tax invoice, numbered without gaps and chained within the branch. An order has one invoice: a repeat returns 200 with the same ' +
    'invoice. Orders that are cancelled, refunded, not in SAR, or inconsistent in their amounts are refused with 409 and use no number. ' +
    'Lines minus discounts plus fees, plus vat_amount if prices exclude VAT, must equal the total, and vat_amount must agree with the ' +
    'VAT rates of the goods: details.reason names the violated rule and details its figures. A VAT of 0 stays 0, and is refused for goods ' +
    "that the catalog taxes. The organization's vat_number is required. Emits an order.invoiced event.",
  takes: ['idempotency-key'] as const,
  refuses: [orderNotFound(orderId), branchMissing(orderId), vatNumberMissing(), ...invoiceRefusals.map(notInvoiceable)],
  params: IdParams,
  response: { 200: shapes.InvoiceAnswer, 201: shapes.InvoiceAnswer, ...problems },
};

export const getInvoiceDoc = {
  tags,
  operationId: 'getInvoice',
  summary: 'Get the e-invoice of an order, or its XML',
  description:
    'format=xml: UBL 2.1 as specified by ZATCA phase 2, without the signature, which needs a certificate of the tax authority. ' +
    'An invoice does not change when its order is changed or deleted.',
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
    ...problems,
  },
};
