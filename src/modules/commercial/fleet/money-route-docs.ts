import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { organizationNotFound } from './fleet-organization.ts';
import {
  Credit,
  CreditBody,
  CreditQuery,
  exampleOrganizationId,
  PaymentBody,
  RecordedPayment,
} from './money-schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const previewTenantCreditDoc = {
  tags,
  operationId: 'previewTenantCredit',
  summary: 'Preview a credit',
  description:
    'A credit pays the oldest fee first, and the rest goes to the wallet. Applying it gives the same result to the halala, ' +
    'unless other money moves in between.',
  refuses: [organizationNotFound(exampleOrganizationId)],
  querystring: CreditQuery,
  response: { 200: Credit, ...refusals },
};

export const applyTenantCreditDoc = {
  tags,
  operationId: 'applyTenantCredit',
  summary: 'Give an organization a credit',
  description:
    'Settles the oldest open fees, the last one in part; the rest goes to the wallet, whose earlier balance is not used. ' +
    'Ends a suspension for unpaid fees when none is more than 30 days overdue. Send `Idempotency-Key` to make retries ' +
    'safe.',
  takes: ['idempotency-key'] as const,
  refuses: [organizationNotFound(exampleOrganizationId)],
  body: CreditBody,
  response: { 200: Credit, ...refusals },
};

export const recordBillingPaymentDoc = {
  tags,
  operationId: 'recordBillingPayment',
  summary: 'Record a payment that was received',
  description:
    'Tops up the wallet and settles the oldest open fees from it, the last one in part. Ends a suspension for unpaid ' +
    'fees when none is more than 30 days overdue. Send `Idempotency-Key` to make retries safe.',
  takes: ['idempotency-key'] as const,
  refuses: [organizationNotFound(exampleOrganizationId)],
  body: PaymentBody,
  response: { 201: RecordedPayment, ...refusals },
};
