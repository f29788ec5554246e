import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { badRequest, notFound, unprocessable } from '../../../platform/http/problem.ts';
import { PRIVATE_FILE_ANSWER } from '../../files/index.ts';
import { MAX_PARTNERS, partnerNotFound } from './manage-partners.ts';
import { moreThanDue, payeeNotFound } from './record-payout.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
export const LIST_CAP = 500;
export const proofNotFound = (id: string) => notFound('Proof not found', { id });

export const listCommissionRatesDoc = {
  tags,
  operationId: 'listCommissionRates',
  summary: 'Partners, their share and what each of their tenants has earned them',
  description: `All partners, the oldest first; there are at most ${MAX_PARTNERS}. A payout is for all tenants together and is shown spread over them, in proportion to what they have earned and exact to the halala. A tenant that has gone to another partner is shown with both.`,
  response: { 200: shapes.CommissionRateList, ...refusals },
};

export const listPartnerUsersDoc = {
  tags,
  operationId: 'listPartnerUsers',
  summary: 'Whom partners have their money sent to',
  description: `At most ${LIST_CAP}, the oldest first; \`total_items\` says how many there are. Accounts are shown masked.`,
  querystring: shapes.PayeeQuery,
  response: { 200: shapes.PartnerUserList, ...refusals },
};

export const listPartnerCommissionsDoc = {
  tags,
  operationId: 'listPartnerCommissions',
  summary: 'Payouts to partners, newest first',
  description: 'Bank transfers as they were recorded.',
  querystring: shapes.PayoutQuery,
  response: { 200: shapes.PartnerCommissionPage, ...refusals },
};

export const getCommissionProofDoc = {
  tags,
  operationId: 'getCommissionProof',
  summary: 'The receipt of a payout',
  description: 'As it was uploaded, to be kept by no cache. No other address leads to it.',
  refuses: [proofNotFound(shapes.EXAMPLE_PAYOUT_ID)],
  params: Type.Object({
    id: Type.String({ description: "The payout's id", examples: [shapes.EXAMPLE_PAYOUT_ID] }),
  }),
  response: {
    200: PRIVATE_FILE_ANSWER,
    ...refusals,
  },
};

export const recordPartnerCommissionDoc = {
  tags,
  operationId: 'recordPartnerCommission',
  summary: 'Record a bank transfer to a partner, with its receipt',
  description:
    'As JSON, or as a form with the file `proof` (pdf, jpg, png, webp or gif by content, at most 10 MB). More than is due is refused with what is due. A payout is not changed afterwards.',
  takes: ['idempotency-key'] as const,
  refuses: [
    partnerNotFound(shapes.EXAMPLE_PARTNER_ID),
    payeeNotFound(shapes.EXAMPLE_PAYEE_ID),
    moreThanDue(shapes.EXAMPLE_PARTNER_ID, 450),
    badRequest({ proof: 'The file is larger than 10485760 bytes' }, 'Validation failed'),
    unprocessable({ amount_sar: 'is required' }),
  ],
  body: shapes.NewPayoutBody,
  response: { 201: shapes.PartnerCommission, ...refusals },
};
