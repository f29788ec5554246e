import { ProblemSchema } from '../../../../platform/http/envelopes.ts';
import { organizationNotFound } from '../fleet-organization.ts';
import { exampleOrganizationId } from '../money-schema.ts';
import { OrganizationParams } from '../organizations-schema.ts';
import { feeInvoiceNotFound } from './list-invoices.ts';
import * as shapes from './schema.ts';

const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const listOwnInvoicesDoc = {
  tags: ['Billing'],
  operationId: 'listOwnInvoices',
  summary: 'List tax invoices for fees',
  description: 'One for each month with fees, newest first. Available while the organization is suspended.',
  querystring: shapes.InvoicesQuery,
  response: { 200: shapes.FeeInvoiceList, ...refusals },
};

export const getOwnInvoiceDoc = {
  tags: ['Billing'],
  operationId: 'getOwnInvoice',
  summary: 'Read a tax invoice for fees',
  description:
    'Seller, buyer and lines as they were when it was issued. Available while the organization is suspended.',
  refuses: [feeInvoiceNotFound(shapes.EXAMPLE_NUMBER)],
  params: shapes.InvoiceParams,
  response: { 200: shapes.FeeInvoice, ...refusals },
};

export const getOwnInvoicePdfDoc = {
  tags: ['Billing'],
  operationId: 'getOwnInvoicePdf',
  summary: 'Download a tax invoice for fees as PDF',
  description:
    'A4, as it was issued: what is left to pay is in the invoice itself. Available while the organization is suspended.',
  refuses: [feeInvoiceNotFound(shapes.EXAMPLE_NUMBER)],
  params: shapes.InvoiceParams,
  querystring: shapes.InvoicePdfQuery,
  response: { 200: shapes.InvoicePdf, ...refusals },
};

export const getOrganizationInvoicePdfDoc = {
  tags: ['Commercial'],
  operationId: 'getOrganizationInvoicePdf',
  summary: 'Download a tax invoice of an organization as PDF',
  description: 'A4, as it was issued.',
  refuses: [organizationNotFound(exampleOrganizationId), feeInvoiceNotFound(shapes.EXAMPLE_NUMBER)],
  params: shapes.OrganizationInvoiceParams,
  querystring: shapes.InvoicePdfQuery,
  response: { 200: shapes.InvoicePdf, ...refusals },
};

export const listOrganizationInvoicesDoc = {
  tags: ['Commercial'],
  operationId: 'listOrganizationInvoices',
  summary: 'List the tax invoices of an organization',
  description: 'Newest first.',
  refuses: [organizationNotFound(exampleOrganizationId)],
  params: OrganizationParams,
  querystring: shapes.InvoicesQuery,
  response: { 200: shapes.FeeInvoiceList, ...refusals },
};
