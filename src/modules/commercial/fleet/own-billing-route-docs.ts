import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { LedgerList } from './organizations-schema.ts';
import { OwnBilling, OwnFeeList, OwnPageQuery } from './own-billing-schema.ts';

const tags = ['Billing'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const readOwnBillingDoc = {
  tags,
  operationId: 'readOwnBilling',
  summary: 'Read plan, balance, outstanding fees and suspension',
  description: 'Available while the organization is suspended.',
  response: { 200: OwnBilling, ...refusals },
};

export const listOwnLedgerDoc = {
  tags,
  operationId: 'listOwnLedger',
  summary: 'List the ledger',
  description: 'Every movement of the wallet, newest first. Available while the organization is suspended.',
  querystring: OwnPageQuery,
  response: { 200: LedgerList, ...refusals },
};

export const listOwnFeesDoc = {
  tags,
  operationId: 'listOwnFees',
  summary: 'List fees of branches and services',
  description: 'Newest month first. Available while the organization is suspended.',
  querystring: OwnPageQuery,
  response: { 200: OwnFeeList, ...refusals },
};
