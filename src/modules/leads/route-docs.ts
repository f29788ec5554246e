import { badRequest, Problem, tooManyRequests } from '../../platform/http/problem.ts';
import { Lead, LeadList, LeadProblem, NewLead } from './schema.ts';

const tags = ['Leads'];
const refusals = { '4xx': LeadProblem, '5xx': LeadProblem };

export const createLeadDoc = (perMinute: number) => ({
  tags,
  operationId: 'createLead',
  summary: 'Create a lead from a landing form',
  description:
    'No token required. Validated in this order: email is present, email looks like local@host.tld, name is present. Fields have at most 10,000 characters, the body at most 256 kB.',
  takes: ['idempotency-key'] as const,
  refuses: [
    badRequest({}, 'missing required field: email'),
    badRequest({}, 'invalid email format'),
    badRequest({}, 'missing required field: name'),
    tooManyRequests(perMinute, 60_000),
    new Problem(500, 'failed to create lead'),
  ],
  body: NewLead,
  response: { 200: Lead, ...refusals },
});

export const listLeadsDoc = {
  tags,
  operationId: 'listLeads',
  summary: 'List the newest leads, at most 500',
  description:
    'Newest first, without pages. For Commercial operators only; a merchant gets 403. `GET /commercial/leads` adds status and assignee.',
  refuses: [new Problem(500, 'failed to list leads')],
  response: { 200: LeadList, ...refusals },
};
