import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { PageQuery, readPaging } from '../../../platform/http/paging.ts';
import { conflict, notFound } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant } from '../gate/access.ts';
import { requireLiveToken } from '../gate/require-live-token.ts';
import type { Identity } from '../identity.ts';
import { endApiKey } from '../logins/revoke-tokens.ts';
import { MAX_API_KEYS } from '../logins/token-limits.ts';
import { principalOf, tenantOf, userOf } from '../principal.ts';
import * as shapes from '../schema.ts';
import { type ApiKeyRow, listApiKeys } from '../sql/api-keys.ts';
import { createApiKey } from './create-api-key.ts';

const tags = ['Identity'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const exampleId = '0193a1f0-7c00-7000-8000-000000000001';
const IdParams = Type.Object({
  id: Type.String({ description: 'Its id, as the list shows it', examples: [exampleId] }),
});
// A key speaks for the whole organization, which one who is confined to a branch may not.
const ofSettings = { whileSuspended: 'allowed', branchConfined: 'refused' } as const;

export function apiKeyRoutes(app: App, { sql, clock, idempotentWrite }: Platform, identity: Identity): void {
  app.get(
    '/auth/api-keys',
    {
      config: { access: tenant('read', 'Settings', ofSettings) },
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: "The organization's API keys",
        description: 'Newest first, with what each opens and when it was last used (to the minute, a moment later).',
        querystring: Type.Object(PageQuery),
        response: { 200: shapes.ApiKeyList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listApiKeys(sql, tenantOf(request).organizationId, paging);
      return listEnvelope(rows.map(apiKeyShape), total, paging);
    },
  );

  app.post(
    '/auth/api-keys',
    {
      config: { access: tenant('create', 'Settings', ofSettings) },
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Issue an API key for the organization; it is shown once',
        description:
          'With grants it opens the routes that they name, sent as X-API-Key; never Settings, and none that its maker ' +
          'does not hold. Without grants it opens GET /apps alone. With branch_iv_id it sees that branch only.',
        takes: ['idempotency-key'],
        refuses: [conflict('Too many API keys', { limit: MAX_API_KEYS })],
        body: shapes.NewApiKeyBody,
        response: { 201: shapes.NewApiKey, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const asker = { organizationId, userId: userOf(request).id, actor };
      return idempotentWrite(request, reply, scope, async (tx) => {
        await requireLiveToken(tx, principalOf(request));
        const { row, apiKey } = await createApiKey(tx, asker, request.body, clock.now());
        return { status: 201, body: { ...apiKeyShape(row), api_key: apiKey } };
      });
    },
  );

  app.delete(
    '/auth/api-keys/:id',
    {
      config: { access: tenant('delete', 'Settings', ofSettings) },
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'From then on it is 401 everywhere, at once. Needs delete on Settings.',
        refuses: [notFound('API key not found', { id: exampleId })],
        params: IdParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, actor } = tenantOf(request);
      await endApiKey(identity, { organizationId, actor }, request.params.id);
      return reply.code(204).send(null);
    },
  );
}

function apiKeyShape(row: ApiKeyRow) {
  return {
    ...row,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created: row.created.toISOString(),
  };
}
