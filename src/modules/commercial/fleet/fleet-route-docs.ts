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
  summary: 'Read the accounting overview of all organizations',
  description:
    'Amounts are in riyals. Every figure is a sum over append-only rows, updated with each write. Whether a fee is ' +
    'overdue depends on the date in Riyadh, not on the last billing run.',
  response: { 200: AccountingOverview, ...refusals },
};

export const readFleetMetricsDoc = {
  tags,
  operationId: 'readFleetMetrics',
  summary: 'Read metrics of every organization, with totals',
  description:
    'All organizations, without pages; totals are the sums of the rows. Orders are counted shortly after they are placed.',
  response: { 200: FleetMetrics, ...refusals },
};

export const listRecentPaymentsDoc = {
  tags,
  operationId: 'listRecentPayments',
  summary: 'List payments of all organizations',
  description: 'Newest first. Invalid `page` and `perPage` values fall back to the defaults.',
  querystring: Type.Object(PagerQuery),
  response: { 200: PaymentPage, ...refusals },
};

export const listBalanceAdjustmentsDoc = {
  tags,
  operationId: 'listBalanceAdjustments',
  summary: 'List credits, refunds and adjustments of all organizations',
  description: 'Newest first. Invalid `page` and `perPage` values fall back to the defaults.',
  querystring: Type.Object(PagerQuery),
  response: { 200: AdjustmentPage, ...refusals },
};

export const listOperatorAuditDoc = {
  tags,
  operationId: 'listOperatorAudit',
  summary: 'List the audit log of operators',
  description:
    'Actions of operators on any organization, newest first, retained for 400 days. Actions of an organization itself are in its own audit log.',
  querystring: OperatorAuditQuery,
  response: { 200: OperatorAuditList, ...refusals },
};
