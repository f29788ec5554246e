import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { badRequest, unprocessable } from '../../../platform/http/problem.ts';
import { PRIVATE_FILE_ANSWER } from '../../files/index.ts';
import { MAX_PARTNERS, partnerNotFound } from './manage-partners.ts';
import { moreThanDue, payeeNotFound, proofNotFound } from './record-payout.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const listCommissionRatesDoc = {
  tags,
  operationId: 'listCommissionRates',
  summary: 'List partners with their rates and the commission of each tenant',
  description: `All partners, oldest first; there are at most ${MAX_PARTNERS}. A payout covers all tenants and is apportioned to them in proportion to their commission, exact to the halala. A tenant that has moved to another partner is shown with both.`,
  response: { 200: shapes.CommissionRateList, ...refusals },
};

export const listPartnerUsersDoc = {
  tags,
  operationId: 'listPartnerUsers',
  summary: 'List payees of partners',
  description: `Oldest first, at most ${shapes.MAX_LIST_ITEMS}; \`total_items\` is the number of all. Account numbers are masked.`,
  querystring: shapes.PayeeQuery,
  response: { 200: shapes.PartnerUserList, ...refusals },
};

export const listPartnerCommissionsDoc = {
  tags,
  operationId: 'listPartnerCommissions',
  summary: 'List payouts to partners',
  description: 'Recorded bank transfers, newest first.',
  querystring: shapes.PayoutQuery,
  response: { 200: shapes.PartnerCommissionPage, ...refusals },
};

export const getCommissionProofDoc = {
  tags,
  operationId: 'getCommissionProof',
  summary: 'Download the receipt of a payout',
  description: 'The file as it was uploaded, with `Cache-Control: no-store`. It has no public URL.',
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
    'As JSON, or as a form with the file `proof` (pdf, jpg, png, webp or gif by content, at most 10 MB). An amount above what is due is rejected with the amount due. A payout cannot be changed.',
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
