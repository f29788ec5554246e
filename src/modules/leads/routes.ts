import type { App } from '../../platform/http/app.ts';
import { scopeOfUnauthenticated } from '../../platform/http/idempotent-write.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { commercial, open } from '../identity/index.ts';
import * as docs from './route-docs.ts';
import type { LeadSettings } from './settings.ts';
import { type LeadRow, listNewestLeads } from './sql.ts';
import { readLead, takeLead } from './take-lead.ts';

const LIST_CAP = 500;
/** The form is public: a landing page never sends more. */
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
      schema: docs.createLeadDoc(perMinute),
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

  app.get('/leads', { config: { access: commercial, errorStyle: 'lead' }, schema: docs.listLeadsDoc }, async () => {
    try {
      const rows = await listNewestLeads(sql, LIST_CAP);
      return { leads: rows.map(leadShape) };
    } catch (error) {
      throw new Problem(500, 'failed to list leads').because(error);
    }
  });
}

function leadShape(row: LeadRow) {
  return { ...row, created: row.created.toISOString() };
}
