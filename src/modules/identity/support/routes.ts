import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { PageQuery, readPaging } from '../../../platform/http/paging.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant } from '../gate/access.ts';
import { requireLiveToken } from '../gate/require-live-token.ts';
import type { Identity } from '../identity.ts';
import { principalOf, tenantOf } from '../principal.ts';
import { findOpenGrant, listGrants } from '../sql/support-grants.ts';
import { listOpenRequests } from '../sql/support-requests.ts';
import { teamAuthorOf } from '../team/team-author.ts';
import { endAccess, noOpenGrant } from './end-access.ts';
import { grantAccess, grantOpen } from './grant-access.ts';
import * as shapes from './schema.ts';
import { refuseRequest, requestNotFound, requestSettled } from './settle-request.ts';

const tags = ['Support access'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
/** A suspended organization may need help too. */
const options = { branchConfined: 'refused', whileSuspended: 'allowed' } as const;
const reads = tenant('read', 'Settings', options);
const manages = tenant('update', 'Settings', { ...options, support: 'refused' });

/** The organization's side: who of the operator's staff may come in, and who did. */
export function supportRoutes(app: App, { sql, clock, idempotentWrite }: Platform, { cache }: Identity): void {
  app.get(
    '/organization/support-access',
    {
      config: { access: reads },
      schema: {
        tags,
        operationId: 'getSupportAccess',
        summary: 'Whether support may open the organization, and which requests wait',
        description:
          "The operator's staff open an organization only while a grant of it is open. A request is answered by a grant with its " +
          '`request_id`, or refused.',
        response: { 200: shapes.SupportState, ...refusals },
      },
    },
    async (request) => {
      const { organizationId } = tenantOf(request);
      const now = clock.now();
      const grant = await findOpenGrant(sql, organizationId, now);
      const requests = await listOpenRequests(sql, organizationId, now);
      return {
        grant: grant === undefined ? null : shapes.grantShape(grant, now),
        requests: requests.map(shapes.requestShape),
      };
    },
  );

  app.get(
    '/organization/support-grants',
    {
      config: { access: reads },
      schema: {
        tags,
        operationId: 'listSupportGrants',
        summary: 'Who had support access, the newest first',
        description:
          'Kept for 400 days. What an operator did is in `GET /audit` with `actor`; entries of support have `actor.support_grant_id`.',
        querystring: Type.Object(PageQuery),
        response: { 200: shapes.SupportGrantList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listGrants(sql, tenantOf(request).organizationId, paging);
      const now = clock.now();
      return listEnvelope(
        rows.map((row) => shapes.grantShape(row, now)),
        total,
        paging,
      );
    },
  );

  app.post(
    '/organization/support-grants',
    {
      config: { access: manages },
      schema: {
        tags,
        operationId: 'grantSupportAccess',
        summary: "Let the operator's staff open the organization for a while",
        description:
          'One grant is open at a time. It ends by itself after `duration_hours`, and at once with ' +
          '`DELETE /organization/support-access`. Support never changes payments, members, API keys, secrets or the ' +
          'organization, and never sees a secret; every write of it is in the audit log.',
        takes: ['idempotency-key'],
        refuses: [grantOpen(shapes.grantId), requestSettled(shapes.requestId)],
        body: shapes.NewGrantBody,
        response: { 201: shapes.SupportGrantSaved, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope: keyScope } = tenantOf(request);
      const { scope, duration_hours: hours, reason = '', request_id: requestId = null } = request.body;
      const asked = { scope, hours, reason: reason.trim(), requestId };
      return idempotentWrite(request, reply, keyScope, async (tx) => {
        await requireLiveToken(tx, principalOf(request));
        const now = clock.now();
        const row = await grantAccess(tx, organizationId, teamAuthorOf(request), asked, now);
        return {
          status: 201,
          body: mutationEnvelope(clock, 'Support access granted', shapes.grantShape(row, now)),
        };
      });
    },
  );

  app.delete(
    '/organization/support-access',
    {
      config: { access: manages },
      schema: {
        tags,
        operationId: 'endSupportAccess',
        summary: 'End support access at once',
        description: 'Every support token under the open grant is 401 from then on, on every node.',
        refuses: [noOpenGrant()],
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId } = tenantOf(request);
      const by = teamAuthorOf(request);
      await inTransaction(sql, (tx) => endAccess(tx, organizationId, by, clock.now()));
      cache.forget([organizationId]);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/organization/support-requests/:id/refuse',
    {
      config: { access: manages },
      schema: {
        tags,
        operationId: 'refuseSupportRequest',
        summary: 'Refuse a request of the operator',
        description:
          'The operator sees that it was refused. To allow it, send its id to `POST /organization/support-grants`.',
        refuses: [requestNotFound(shapes.requestId), requestSettled(shapes.requestId)],
        params: shapes.RequestParams,
        response: { 200: shapes.SupportRequestSaved, ...refusals },
      },
    },
    async (request) => {
      const { organizationId } = tenantOf(request);
      const by = teamAuthorOf(request);
      const row = await inTransaction(sql, (tx) =>
        refuseRequest(tx, organizationId, by, request.params.id, clock.now()),
      );
      return mutationEnvelope(clock, 'Support request refused', shapes.requestShape(row));
    },
  );
}
