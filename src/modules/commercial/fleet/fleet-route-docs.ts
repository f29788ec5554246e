import { Type } from 'typebox';
import { PagerQuery } from '../../../platform/http/camel-case-pager.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { AccountingOverview, FleetMetrics } from './fleet-schema.ts';
import { AdjustmentPage, PaymentPage } from './money-schema.ts';
import { OperatorAuditList, OperatorAuditQuery } from './organizations-schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const readAccountingOverviewDoc = {
  tags,
  operationId: 'readAccountingOverview',
  summary: 'The books of the whole fleet',
  description:
    'Money in riyals. Every figure is the sum of rows that never change, kept as they are written. Whether a fee is ' +
    'overdue is a matter of the date in Riyadh, whenever the billing last ran.',
  response: { 200: AccountingOverview, ...refusals },
};

export const readFleetMetricsDoc = {
  tags,
  operationId: 'readFleetMetrics',
  summary: 'Every organization with what it has, sells and pays, and their totals',
  description:
    'All of them, without pages; the totals are the sums of the rows. Orders are counted a moment after they were ' +
    'placed.',
  response: { 200: FleetMetrics, ...refusals },
};

export const listRecentPaymentsDoc = {
  tags,
  operationId: 'listRecentPayments',
  summary: 'Payments of all organizations, newest first',
  description: 'page and perPage fall back where they make no sense.',
  querystring: Type.Object(PagerQuery),
  response: { 200: PaymentPage, ...refusals },
};

export const listBalanceAdjustmentsDoc = {
  tags,
  operationId: 'listBalanceAdjustments',
  summary: 'Credits, refunds and adjustments of all organizations, newest first',
  description: 'page and perPage fall back where they make no sense.',
  querystring: Type.Object(PagerQuery),
  response: { 200: AdjustmentPage, ...refusals },
};

export const listOperatorAuditDoc = {
  tags,
  operationId: 'listOperatorAudit',
  summary: 'What operators did, to whichever organization, newest first',
  description: 'Kept for 400 days. What an organization does itself is in its own audit.',
  querystring: OperatorAuditQuery,
  response: { 200: OperatorAuditList, ...refusals },
};
