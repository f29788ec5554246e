import type { Notifier } from '../../platform/background/index.ts';
import { retentionCut } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope } from '../../platform/http/envelopes.ts';
import { offsetOf, readPaging } from '../../platform/http/paging.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Action, tenant, tenantOf } from '../identity/index.ts';
import { removeStaged, retryStaged, stagedNotFound } from './manage-staged.ts';
import { deleteDocs, getDocs, listDocs, retryDocs } from './route-docs.ts';
import { shownHeaders, shownPayload } from './shown-payload.ts';
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
    return { ...stagedShape(row), payload: shownPayload(row), headers: shownHeaders(row) };
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

  app.delete('/staging/:id', { config: { access: access('delete') }, schema: deleteDocs }, async (request) => {
    const row = await removeStaged(sql, keyOf(request), tenantOf(request).actor, clock.now());
    return mutationEnvelope(clock, 'Payload deleted', stagedShape(row));
  });

  function keyOf(request: Parameters<typeof tenantOf>[0] & { params: unknown }) {
    const { id } = request.params as { id: string };
    return { organizationId: tenantOf(request).organizationId, id, since: retentionCut(clock.now()) };
  }
}
