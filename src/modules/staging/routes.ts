import { Type } from 'typebox';
import type { Notifier } from '../../platform/background/index.ts';
import { inTransaction, retentionCut } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope, mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';
import { offsetOf, PageQuery, readPaging } from '../../platform/http/paging.ts';
import { badRequest, conflict, notFound } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { EXAMPLE_INSTALL_ID, isInstalled } from '../apps/index.ts';
import { recordAudit } from '../audit/index.ts';
import { type Action, tenant, tenantOf } from '../identity/index.ts';
import { firstStageOf } from './first-stage.ts';
import * as shapes from './schema.ts';
import { shownHeaders, shownPayload } from './shown-payload.ts';
import { deleteStaged, findStaged, findStagedInstall, listStaged, lockStaged, queueAgain } from './sql/log.ts';
import { STAGING_STATUSES, stagedShape } from './staged-payload.ts';

const tags = ['Staging'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({
  id: Type.String({
    description: "The payload's id, as the vendor was told it",
    examples: [shapes.EXAMPLE_STAGING_ID],
  }),
});
const missing = notFound('Staged payload not found', { id: shapes.EXAMPLE_STAGING_ID });
/** Payloads are of every branch, and hold what the vendor knows of its customers. */
const access = (action: Action) => tenant(action, 'Apps', { branchConfined: 'refused' });

export function stagingRoutes(app: App, { sql, clock }: Platform, queue: Notifier): void {
  app.get(
    '/staging',
    {
      config: { access: access('read') },
      schema: {
        tags,
        operationId: 'listStagedPayloads',
        summary: 'What vendors have sent',
        description:
          'Newest first; kept for 30 days. `search` looks for ids and events from their beginning, and in messages.',
        refuses: [badRequest({ status: 'must be one of pending, processed, failed' })],
        querystring: Type.Object({
          ...PageQuery,
          status: Type.Optional(Type.Enum([...STAGING_STATUSES], { description: 'In this state only' })),
          app_slug: Type.Optional(Type.String({ maxLength: 100, description: 'Of this app only' })),
          organization_app_id: Type.Optional(Type.String({ maxLength: 100, description: 'Of this install only' })),
          search: Type.Optional(Type.String({ maxLength: 200, description: 'Ids, events, messages' })),
        }),
        response: { 200: shapes.StagedList, ...refusals },
      },
    },
    async (request) => {
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
    },
  );

  app.get(
    '/staging/:id',
    {
      config: { access: access('read') },
      schema: {
        tags,
        operationId: 'getStagedPayload',
        summary: 'One payload, as it came',
        description: "With the vendor's bytes and headers, without those that verify something.",
        refuses: [missing],
        params: IdParams,
        response: { 200: shapes.StagedWithPayload, ...refusals },
      },
    },
    async (request) => {
      const key = keyOf(request);
      const row = isId(key.id) ? await findStaged(sql, key) : undefined;
      if (row === undefined) throw stagedNotFound(key.id);
      return { ...stagedShape(row), payload: shownPayload(row), headers: shownHeaders(row) };
    },
  );

  app.post(
    '/staging/:id/retry',
    {
      config: { access: access('update') },
      schema: {
        tags,
        operationId: 'retryStagedPayload',
        summary: 'Read it again',
        description: 'With the settings of the install as they are now, whatever became of it before.',
        refuses: [missing, notInstalled(EXAMPLE_INSTALL_ID)],
        params: IdParams,
        response: { 202: mutationEnvelopeOf(shapes.StagedShape), ...refusals },
      },
    },
    async (request, reply) => {
      const key = keyOf(request);
      const { organizationId, actor } = tenantOf(request);
      const row = await inTransaction(sql, async (tx) => {
        // The install before the payload, as whoever removes it locks them.
        const installId = isId(key.id) ? await findStagedInstall(tx, key) : undefined;
        if (installId === undefined) throw stagedNotFound(key.id);
        if (!(await isInstalled(tx, organizationId, installId))) throw notInstalled(installId);
        const staged = await lockStaged(tx, key);
        if (staged === undefined) throw stagedNotFound(key.id);
        const now = clock.now();
        await queueAgain(tx, staged, firstStageOf(staged.app_slug), now);
        await recordAudit(
          tx,
          organizationId,
          actor,
          [{ action: 'retry', resource: 'Apps', resourceId: staged.id }],
          now,
        );
        return {
          ...staged,
          status: 'pending' as const,
          outcome: '' as const,
          attempts: 0,
          error_code: null,
          processed_at: null,
        };
      });
      queue.notify();
      return reply.code(202).send(mutationEnvelope(clock, 'Payload queued again', stagedShape(row)));
    },
  );

  app.delete(
    '/staging/:id',
    {
      config: { access: access('delete') },
      schema: {
        tags,
        operationId: 'deleteStagedPayload',
        summary: 'Delete a payload',
        description:
          'The order that was made of it stays. The same delivery is taken anew when the vendor sends it again.',
        refuses: [missing],
        params: IdParams,
        response: { 200: mutationEnvelopeOf(shapes.StagedShape), ...refusals },
      },
    },
    async (request) => {
      const key = keyOf(request);
      const { organizationId, actor } = tenantOf(request);
      const row = await inTransaction(sql, async (tx) => {
        const staged = isId(key.id) ? await lockStaged(tx, key) : undefined;
        if (staged === undefined) throw stagedNotFound(key.id);
        await deleteStaged(tx, staged);
        const entry = { action: 'delete', resource: 'Apps', resourceId: staged.id };
        await recordAudit(tx, organizationId, actor, [entry], clock.now());
        return staged;
      });
      return mutationEnvelope(clock, 'Payload deleted', stagedShape(row));
    },
  );

  function keyOf(request: Parameters<typeof tenantOf>[0] & { params: unknown }) {
    const { id } = request.params as { id: string };
    return { organizationId: tenantOf(request).organizationId, id, since: retentionCut(clock.now()) };
  }
}

/** Whoever removed it has dropped what was pending: nothing would ever read this one. */
function notInstalled(installId: string) {
  return conflict('App not installed', { organization_app_id: installId });
}

function stagedNotFound(id: string) {
  return notFound('Staged payload not found', { id });
}
