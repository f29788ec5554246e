import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { LedgerList } from './organizations-schema.ts';
import { OwnBilling, OwnFeeList, OwnPageQuery } from './own-billing-schema.ts';

const tags = ['Billing'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const readOwnBillingDoc = {
  tags,
  operationId: 'readOwnBilling',
  summary: 'Plan, what is owed, the wallet, and what to do while suspended',
  description: 'Stays available while the organization is suspended.',
  response: { 200: OwnBilling, ...refusals },
};

export const listOwnLedgerDoc = {
  tags,
  operationId: 'listOwnLedger',
  summary: 'Every movement of the wallet, newest first',
  description: 'Stays available while the organization is suspended.',
  querystring: OwnPageQuery,
  response: { 200: LedgerList, ...refusals },
};

export const listOwnFeesDoc = {
  tags,
  operationId: 'listOwnFees',
  summary: 'Fees of branches and services, the newest month first',
  description: 'Stays available while the organization is suspended.',
  querystring: OwnPageQuery,
  response: { 200: OwnFeeList, ...refusals },
};
