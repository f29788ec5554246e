import type { Notifier } from '../../platform/background/index.ts';
import { retentionCut } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope } from '../../platform/http/envelopes.ts';
import { offsetOf, readPaging } from '../../platform/http/paging.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { findInstalledIds, installNotFound } from '../apps/index.ts';
import { type Action, tenant, tenantOf } from '../identity/index.ts';
import { removeStaged, retryStaged, stagedNotFound } from './manage-staged.ts';
import { mendPayload } from './mend-payload.ts';
import { MAX_HEALTH_DAYS, readHealth } from './read-health.ts';
import { deleteDocs, getDocs, healthDocs, listDocs, mendDocs, retryDocs } from './route-docs.ts';
import { MAX_MENDED_CHARACTERS } from './schema.ts';
import { payloadShape, shownHeaders } from './shown-payload.ts';
import { findStaged, listStaged } from './sql/log.ts';
import { stagedShape } from './staged-payload.ts';

/** Payloads belong to no branch, and hold the vendor's customer data. */
const access = (action: Action) => tenant(action, 'Apps', { branchConfined: 'refused' });

export function stagingRoutes(app: App, { sql, clock }: Platform, queue: Notifier): void {
  app.get('/staging', { config: { access: access('read') }, schema: listDocs }, async (request) => {
    const { status, app_slug, organization_app_id, search } = request.query;
    const paging = readPaging(request.query);
    if (organization_app_id && !isId(organization_app_id)) return listEnvelope([], 0, paging);
    const filter = {
      organizationId: tenantOf(request).organizationId,
      since: retentionCut(clock.now()),
      status,
      appSlug: app_slug || undefined,
      installId: organization_app_id || undefined,
      search: search?.trim() || undefined,
    };
    const { rows, total } = await listStaged(sql, filter, { limit: paging.limit, offset: offsetOf(paging) });
    return listEnvelope(rows.map(stagedShape), total, paging);
  });

  app.get('/staging/:id', { config: { access: access('read') }, schema: getDocs }, async (request) => {
    const key = keyOf(request);
    const row = isId(key.id) ? await findStaged(sql, key) : undefined;
    if (row === undefined) throw stagedNotFound(key.id);
    return { ...stagedShape(row), ...payloadShape(row), headers: shownHeaders(row) };
  });

  app.post(
    '/staging/:id/retry',
    { config: { access: access('update') }, schema: retryDocs },
    async (request, reply) => {
      const row = await retryStaged(sql, keyOf(request), tenantOf(request).actor, clock.now());
      queue.notify();
      return reply.code(202).send(mutationEnvelope(clock, 'Payload queued again', stagedShape(row)));
    },
  );

  // Escaping may double the text.
  const bodyLimit = 2 * MAX_MENDED_CHARACTERS;
  app.put(
    '/staging/:id/payload',
    { bodyLimit, config: { access: access('update') }, schema: mendDocs },
    async (request) => {
      const { actor } = tenantOf(request);
      const row = await mendPayload(sql, keyOf(request), request.body.payload, actor, clock.now());
      return mutationEnvelope(clock, 'Payload changed', stagedShape(row));
    },
  );

  app.get('/apps/:id/health', { config: { access: access('read') }, schema: healthDocs }, async (request) => {
    const { organizationId, timeZone } = tenantOf(request);
    const { id } = request.params;
    const known = isId(id) ? await findInstalledIds(sql, organizationId, [id]) : new Set();
    if (!known.has(id.toLowerCase())) throw installNotFound(id);
    const days = request.query.days ?? MAX_HEALTH_DAYS;
    const data = await readHealth(sql, { organizationId, installId: id }, { days, timeZone, now: clock.now() });
    return { data, count: data.length };
  });

  app.delete('/staging/:id', { config: { access: access('delete') }, schema: deleteDocs }, async (request) => {
    const row = await removeStaged(sql, keyOf(request), tenantOf(request).actor, clock.now());
    return mutationEnvelope(clock, 'Payload deleted', stagedShape(row));
  });

  function keyOf(request: Parameters<typeof tenantOf>[0] & { params: unknown }) {
    const { id } = request.params as { id: string };
    return { organizationId: tenantOf(request).organizationId, id, since: retentionCut(clock.now()) };
  }
}
