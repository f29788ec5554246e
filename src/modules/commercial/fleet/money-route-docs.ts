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
  summary: 'What a credit would do, without doing it',
  description:
    'The oldest fee first, the rest to the wallet: what applying it answers, to the halala, as long as nothing else ' +
    'moves in between.',
  refuses: [organizationNotFound(exampleOrganizationId)],
  querystring: CreditQuery,
  response: { 200: Credit, ...refusals },
};

export const applyTenantCreditDoc = {
  tags,
  operationId: 'applyTenantCredit',
  summary: 'Give an organization a credit',
  description:
    'Settles its oldest open fees, in part if need be; what is left goes to its wallet, and what was in there already ' +
    'stays. Ends a suspension for unpaid fees once none is more than 30 days overdue. Send an Idempotency-Key, so ' +
    'that a repeat gives nothing twice.',
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
    'Goes to the wallet as a top-up and settles the oldest open fees from it, in part if need be. Ends a suspension ' +
    'for unpaid fees at once when none is more than 30 days overdue any more. Send an Idempotency-Key, so that a ' +
    'repeat counts nothing twice.',
  takes: ['idempotency-key'] as const,
  refuses: [organizationNotFound(exampleOrganizationId)],
  body: PaymentBody,
  response: { 201: RecordedPayment, ...refusals },
};
