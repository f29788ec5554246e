import type { FastifyRequest } from 'fastify';
import type { VendorClient } from '../../channels/contract.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { App as Http } from '../../platform/http/app.ts';
import { mutationEnvelope } from '../../platform/http/envelopes.ts';
import { etagOf, versionCheck } from '../../platform/http/preconditions.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { findBranchLabels } from '../branches/index.ts';
import { type Action, linkBaseOf, principalOf, tenant, tenantOf } from '../identity/index.ts';
import { APPS, secretsOf, settingsSchema } from './catalog.ts';
import type { SettingRules } from './check-settings.ts';
import { type Install, ingestUrl, installShape, settingsSeenBy } from './install.ts';
import {
  changeInstall,
  checkChange,
  type InstallListener,
  installNotFound,
  placeInstall,
  prepareInstall,
  removeInstall,
} from './manage-installs.ts';
import { rotateIngestToken } from './rotate-ingest-token.ts';
import * as docs from './route-docs.ts';
import { countInstalls, findInstalls, listInstalls } from './sql.ts';
import { testConnection } from './test-connection.ts';
import type { CallLimits } from './vendor-client.ts';

/** An app concerns every branch. */
const changes = (action: Action) => tenant(action, 'Apps', { branchConfined: 'refused' });

export type AppTools = {
  rules: SettingRules;
  publicUrl: string | undefined;
  /** Whether an app supports pushing a status. */
  canPush(slug: string): boolean;
  listeners: readonly InstallListener[];
  clientFor(install: Install, limits?: CallLimits): VendorClient;
};

function isOwner(request: FastifyRequest): boolean {
  return principalOf(request).membership?.role === 'owner';
}

export function appRoutes(http: Http, { sql, clock, box, idempotentWrite }: Platform, tools: AppTools): void {
  const { rules, publicUrl, canPush, listeners, clientFor } = tools;

  http.get(
    '/apps',
    {
      config: { access: tenant('read', 'Apps', { apiKey: true }) },
      schema: docs.listAppsDoc,
    },
    async (request) => {
      const { organizationId, branchId } = tenantOf(request);
      const installs = await listInstalls(sql, box, organizationId);
      if (branchId === null) return { data: installs.map(installShape), count: installs.length };
      const [branch] = await findBranchLabels(sql, [{ organizationId, name: branchId }]);
      const data = installs.map((install) =>
        installShape({ ...install, settings: settingsSeenBy(install.settings, branch?.iv_id) }),
      );
      return { data, count: data.length };
    },
  );

  http.get(
    '/apps/catalog',
    {
      config: { access: tenant('read', 'Apps') },
      schema: docs.listAppCatalogDoc,
    },
    async (request) => {
      const installed = await countInstalls(sql, tenantOf(request).organizationId);
      const data = APPS.map((app) => ({
        app_slug: app.slug,
        name_en: app.nameEn,
        name_ar: app.nameAr,
        family: app.family,
        kind: app.kind,
        inbound: app.inbound?.authentication ?? ('none' as const),
        push: canPush(app.slug),
        settings_schema: settingsSchema(app),
        secrets: secretsOf(app),
        installed: installed.get(app.slug) ?? 0,
      }));
      return { data, count: data.length };
    },
  );

  http.post(
    '/apps',
    {
      config: { access: changes('create') },
      schema: docs.installAppDoc,
    },
    async (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const base = linkBaseOf(request, publicUrl);
      const install = await prepareInstall(organizationId, request.body, rules, isOwner(request), clock.now());
      return idempotentWrite(request, reply, scope, async (tx) => {
        await placeInstall(tx, box, install, actor, listeners);
        const data = {
          ...installShape(install),
          ingest_url: ingestUrl(base, install.id),
          ingest_token: install.ingestToken,
        };
        return { status: 201, body: mutationEnvelope(clock, 'App installed', data) };
      });
    },
  );

  http.patch(
    '/apps/:id',
    {
      config: { access: changes('update') },
      schema: docs.changeAppDoc,
    },
    async (request, reply) => {
      const { organizationId, actor } = tenantOf(request);
      const by = { actor, isOwner: isOwner(request) };
      const checkVersion = versionCheck(request.headers['if-match'], installShape);
      await checkChange(request.body, rules, by.isOwner);
      const key = { organizationId, id: request.params.id };
      const change = { ...request.body, checkVersion };
      const install = await inTransaction(sql, (tx) => changeInstall(tx, box, key, change, by, clock.now()));
      reply.header('etag', etagOf(install.updated));
      return mutationEnvelope(clock, 'App changed', installShape(install));
    },
  );

  http.post(
    '/apps/:id/test-connection',
    {
      config: { access: changes('update') },
      schema: docs.testConnectionDoc,
    },
    async (request) => {
      const { organizationId } = tenantOf(request);
      const { id } = request.params;
      const [install] = isId(id) ? await findInstalls(sql, box, [id]) : [];
      if (install === undefined || install.organization_id !== organizationId) throw installNotFound(id);
      return testConnection(install, clientFor);
    },
  );

  http.post(
    '/apps/:id/rotate-ingest-token',
    {
      config: { access: tenant('update', 'Apps', { branchConfined: 'refused', support: 'refused' }) },
      schema: docs.rotateIngestTokenDoc,
    },
    (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const by = { actor, isOwner: isOwner(request) };
      const key = { organizationId, id: request.params.id };
      const base = linkBaseOf(request, publicUrl);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const { id, ingestToken } = await rotateIngestToken(tx, box, key, by, clock.now());
        const data = { id, ingest_url: ingestUrl(base, id), ingest_token: ingestToken };
        return { status: 200, body: mutationEnvelope(clock, 'Ingest token replaced', data) };
      });
    },
  );

  http.delete(
    '/apps/:id',
    {
      config: { access: changes('delete') },
      schema: docs.removeAppDoc,
    },
    async (request) => {
      const { organizationId, actor } = tenantOf(request);
      const key = { organizationId, id: request.params.id };
      const install = await inTransaction(sql, (tx) => removeInstall(tx, box, key, actor, listeners, clock.now()));
      return mutationEnvelope(clock, 'App removed', installShape(install));
    },
  );
}
