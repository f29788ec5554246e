import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { organizationNotFound } from './fleet-organization.ts';
import { exampleOrganizationId } from './money-schema.ts';
import * as shapes from './organizations-schema.ts';
import { alreadySuspended, notSuspended } from './suspend-organization.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const listFleetOrganizationsDoc = {
  tags,
  operationId: 'listFleetOrganizations',
  summary: 'Organizations with what they have and owe, newest first',
  description: 'A search finds parts of either name, whatever the spelling of alef, hamza and the like.',
  querystring: shapes.OrganizationsQuery,
  response: { 200: shapes.FleetOrganizationList, ...refusals },
};

export const openOrganizationDoc = {
  tags,
  operationId: 'openOrganization',
  summary: 'Open an organization and invite its owner; the link is shown once',
  description:
    'No e-mail is sent: hand over `invite_url`, which works once and for 7 days, to the person whose address it is. An ' +
    'address that has an account joins with its password; one of the operator is refused. `resets_account`: the ' +
    'account was made by the link of a merchant and never verified; accepting sets a new password, ends all that ' +
    'was signed in, and turns its memberships in `affected_organizations` into pending invitations. The month in ' +
    'which the organization begins is free.',
  takes: ['idempotency-key'] as const,
  body: shapes.NewOrganizationBody,
  response: { 201: shapes.NewOrganizationAnswer, ...refusals },
};

export const listOrganizationLedgerDoc = {
  tags,
  operationId: 'listOrganizationLedger',
  summary: 'Every movement of its wallet, newest first',
  description: 'Entries are never changed: what was wrong is put right by another one.',
  refuses: [organizationNotFound(exampleOrganizationId)],
  params: shapes.OrganizationParams,
  querystring: shapes.LedgerQuery,
  response: { 200: shapes.LedgerList, ...refusals },
};

export const suspendOrganizationDoc = {
  tags,
  operationId: 'suspendOrganization',
  summary: 'Answer 402 to all that an organization asks',
  description:
    'Until it is resumed by hand: no payment ends it. One that is suspended for unpaid fees can be suspended by hand ' +
    'as well; a second time is 409.',
  takes: ['idempotency-key'] as const,
  refuses: [organizationNotFound(exampleOrganizationId), alreadySuspended(exampleOrganizationId)],
  params: shapes.OrganizationParams,
  body: shapes.SuspensionBody,
  response: { 200: shapes.FleetOrganization, ...refusals },
};

export const resumeOrganizationDoc = {
  tags,
  operationId: 'resumeOrganization',
  summary: 'End the suspension of an organization',
  description:
    'Whoever suspended it. Where fees are still unpaid after 30 days, the next run of the billing suspends it again.',
  takes: ['idempotency-key'] as const,
  refuses: [organizationNotFound(exampleOrganizationId), notSuspended(exampleOrganizationId)],
  params: shapes.OrganizationParams,
  body: shapes.ResumptionBody,
  response: { 200: shapes.FleetOrganization, ...refusals },
};
