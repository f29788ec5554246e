import type { App } from '../../platform/http/app.ts';
import { scopeOfUnauthenticated } from '../../platform/http/idempotent-write.ts';
import { badRequest, Problem, tooManyRequests } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { commercial, open } from '../identity/index.ts';
import { Lead, LeadList, LeadProblem, NewLead } from './schema.ts';
import type { LeadSettings } from './settings.ts';
import { type LeadRow, listNewestLeads } from './sql.ts';
import { readLead, takeLead } from './take-lead.ts';

const tags = ['Leads'];
const refusals = { '4xx': LeadProblem, '5xx': LeadProblem };
const LIST_CAP = 500;
/** The form is open to the world: a landing page never sends more. */
const BODY_LIMIT_BYTES = 256 * 1024;

export function leadRoutes(app: App, { sql, clock, idempotentWrite }: Platform, settings: LeadSettings): void {
  const perMinute = settings.rateLimitPerMinute;

  app.post(
    '/leads',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: {
        access: open,
        errorStyle: 'lead',
        invalidBodyStatus: 400,
        refusesEmptyBodies: true,
        rateLimit: perMinute > 0 ? { max: perMinute, timeWindow: 60_000 } : false,
      },
      // The rule checks the body itself: the order of its messages is part of the interface.
      validatorCompiler: () => () => true,
      schema: {
        tags,
        operationId: 'createLead',
        summary: 'Take in a landing form',
        description:
          'Open to the world. Checked in this order: email is there, email looks like local@host.tld, name is there; fields have at most 10,000 characters, the body 256 kB.',
        takes: ['idempotency-key'],
        refuses: [
          badRequest({}, 'missing required field: email'),
          badRequest({}, 'invalid email format'),
          badRequest({}, 'missing required field: name'),
          tooManyRequests(perMinute, 60_000),
          new Problem(500, 'failed to create lead'),
        ],
        body: NewLead,
        response: { 200: Lead, ...refusals },
      },
    },
    async (request, reply) => {
      const fields = readLead(request.body);
      try {
        return await idempotentWrite(request, reply, scopeOfUnauthenticated(request, 'leads'), async (tx) => ({
          status: 200,
          body: leadShape(await takeLead(tx, fields, clock.now())),
        }));
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw new Problem(500, 'failed to create lead').because(error);
      }
    },
  );

  app.get(
    '/leads',
    {
      config: { access: commercial, errorStyle: 'lead' },
      schema: {
        tags,
        operationId: 'listLeads',
        summary: 'The newest leads, at most 500',
        description: 'Newest first, without pages. For Commercial operators only; a merchant gets 403.',
        refuses: [new Problem(500, 'failed to list leads')],
        response: { 200: LeadList, ...refusals },
      },
    },
    async () => {
      try {
        const rows = await listNewestLeads(sql, LIST_CAP);
        return { leads: rows.map(leadShape) };
      } catch (error) {
        throw new Problem(500, 'failed to list leads').because(error);
      }
    },
  );
}

function leadShape(row: LeadRow) {
  return { ...row, created: row.created.toISOString() };
}
