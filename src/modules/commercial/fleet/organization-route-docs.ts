import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { organizationNotFound } from './fleet-organization.ts';
import { exampleOrganizationId } from './money-schema.ts';
import * as shapes from './organizations-schema.ts';
import { alreadySuspended, notSuspended } from './suspend-organization.ts';
import { OrganizationUsage, UsageQuery } from './usage-schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const listFleetOrganizationsDoc = {
  tags,
  operationId: 'listFleetOrganizations',
  summary: 'List organizations with counts and balances',
  description:
    'Newest first. The search matches parts of either name and ignores variants of alef, hamza and similar letters.',
  querystring: shapes.OrganizationsQuery,
  response: { 200: shapes.FleetOrganizationList, ...refusals },
};

export const openOrganizationDoc = {
  tags,
  operationId: 'openOrganization',
  summary: 'Open an organization and invite its owner',
  description:
    'No e-mail is sent: pass `invite_url` to the owner. It is shown in this response only, works once and expires after ' +
    '7 days. An address with an account joins with its password; an account of an operator is rejected. ' +
    '`resets_account`: the account was created by the link of a merchant and never verified; accepting sets a new ' +
    'password, ends all its sessions, and turns its memberships in `affected_organizations` into pending invitations. ' +
    'The month in which the organization is opened is free.',
  takes: ['idempotency-key'] as const,
  body: shapes.NewOrganizationBody,
  response: { 201: shapes.NewOrganizationAnswer, ...refusals },
};

export const listOrganizationLedgerDoc = {
  tags,
  operationId: 'listOrganizationLedger',
  summary: 'List the ledger of an organization',
  description:
    'Every movement of its wallet, newest first. Entries never change; a mistake is corrected by another entry.',
  refuses: [organizationNotFound(exampleOrganizationId)],
  params: shapes.OrganizationParams,
  querystring: shapes.LedgerQuery,
  response: { 200: shapes.LedgerList, ...refusals },
};

export const readOrganizationUsageDoc = {
  tags,
  operationId: 'readOrganizationUsage',
  summary: 'Read what an organization uses',
  description:
    'Orders, webhook deliveries and ingested payloads by day, with the number of members, branches and products.',
  refuses: [organizationNotFound(exampleOrganizationId)],
  params: shapes.OrganizationParams,
  querystring: UsageQuery,
  response: { 200: OrganizationUsage, ...refusals },
};

export const suspendOrganizationDoc = {
  tags,
  operationId: 'suspendOrganization',
  summary: 'Suspend an organization',
  description:
    'Its requests get 402 until it is resumed by hand; no payment ends the suspension. An organization that is suspended ' +
    'for unpaid fees can be suspended by hand as well; a second time returns 409.',
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
    'Ends suspensions by hand and for unpaid fees. While fees are more than 30 days overdue, the next billing run suspends it again.',
  takes: ['idempotency-key'] as const,
  refuses: [organizationNotFound(exampleOrganizationId), notSuspended(exampleOrganizationId)],
  params: shapes.OrganizationParams,
  body: shapes.ResumptionBody,
  response: { 200: shapes.FleetOrganization, ...refusals },
};
