import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { nothingToReset, ResetLink } from '../../identity/index.ts';
import { passwordOfAnOperator } from './create-user-reset.ts';
import { ofAnOperator, userNotFound } from './reset-member-totp.ts';
import * as shapes from './users-schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const listOperatorsDoc = {
  tags,
  operationId: 'listOperators',
  summary: 'List operators',
  description: 'Active Commercial accounts by name, without pages: those a lead can be assigned to.',
  response: { 200: shapes.OperatorList, ...refusals },
};

export const resetUserTotpDoc = {
  tags,
  operationId: 'resetUserTotp',
  summary: "Remove a member's second factor",
  description:
    'For a lost phone, or a factor that another person has enrolled. Ends every login and session token of the account; ' +
    'the password and API keys stay valid. Recorded in the audit log of each of its organizations. Returns 404 for an ' +
    'address without an account, 409 when it has no second factor, 422 for an account of an operator, which is reset at ' +
    'the command line.',
  takes: ['idempotency-key'] as const,
  refuses: [userNotFound('noura@example.com'), nothingToReset(), ofAnOperator()],
  body: shapes.TotpResetBody,
  response: { 200: shapes.TotpResetAnswer, ...refusals },
};

export const createUserResetDoc = {
  tags,
  operationId: 'createUserReset',
  summary: 'Create a link by which a member chooses a new password; it is shown once',
  description:
    'For a person who forgot the password and whose organization has no other owner, or who belongs to several. No e-mail is sent: ' +
    'make sure who asks, and hand over `reset_url`. Earlier links end; the old password works until the link is used, and a ' +
    'second factor stays. Recorded in the audit log of each organization of the account. Returns 404 for an address without an ' +
    'account, 422 for an account of an operator, which is reset at the command line.',
  takes: ['idempotency-key'] as const,
  refuses: [userNotFound('noura@example.com'), passwordOfAnOperator()],
  body: shapes.UserResetBody,
  response: { 201: ResetLink, ...refusals },
};
