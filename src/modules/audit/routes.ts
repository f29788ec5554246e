import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { rememberTotals } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope } from '../../platform/http/envelopes.ts';
import { parseInstant } from '../../platform/http/instant.ts';
import { readPaging } from '../../platform/http/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import { entryShape } from './entry-shape.ts';
import { listAudit } from './list-audit.ts';
import * as docs from './route-docs.ts';
import type { AuditFilter } from './sql/list.ts';

const REMEMBERED_TOTALS = 2_000;

/** Passed in by identity, which writes to the audit log and imports this module; an import back would be a cycle. */
export type Gate = {
  access: NonNullable<FastifyContextConfig['access']>;
  organizationOf: (request: FastifyRequest) => string;
  resources: readonly string[];
};

export function auditRoutes(app: App, { sql }: Platform, { access, organizationOf, resources }: Gate): void {
  const totals = rememberTotals(REMEMBERED_TOTALS);

  app.get('/audit', { config: { access }, schema: docs.listAuditDoc(resources) }, async (request) => {
    const paging = readPaging(request.query);
    const filter = readFilter(request.query);
    const { rows, total } = await listAudit(sql, totals, organizationOf(request), filter, paging);
    return listEnvelope(rows.map(entryShape), total, paging);
  });
}

type GivenFilter = {
  actor?: string;
  action?: string;
  resource?: string;
  resource_id?: string;
  from?: string;
  to?: string;
};

function readFilter({ actor, action, resource, resource_id, from, to }: GivenFilter): AuditFilter {
  return {
    actorId: actor,
    action,
    resource,
    resourceId: resource_id,
    from: from === undefined ? undefined : parseInstant(from),
    to: to === undefined ? undefined : parseInstant(to),
  };
}
