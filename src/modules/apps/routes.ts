import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { inTransaction } from '../../platform/database/index.ts';
import type { App as Http } from '../../platform/http/app.ts';
import { mutationEnvelope, mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';
import { conflict, unprocessable } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { findBranchLabels } from '../branches/index.ts';
import { type Action, linkBaseOf, principalOf, tenant, tenantOf } from '../identity/index.ts';
import { APPS, secretsOf, settingsSchema } from './catalog.ts';
import type { SettingRules } from './check-settings.ts';
import { ingestUrl, installShape, settingsSeenBy } from './install.ts';
import {
  changeInstall,
  checkChange,
  type InstallListener,
  installNotFound,
  MAX_INSTALLS,
  movedSecret,
  ownerRequired,
  placeInstall,
  prepareInstall,
  removeInstall,
} from './manage-installs.ts';
import * as shapes from './schema.ts';
import { countInstalls, listInstalls } from './sql.ts';

const tags = ['Apps'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({
  id: Type.String({ description: "The install's id", examples: [shapes.EXAMPLE_INSTALL_ID] }),
});
/** What an app does concerns every branch. */
const changes = (action: Action) => tenant(action, 'Apps', { branchConfined: 'refused' });
const badSetting = unprocessable({ 'settings.webhook_secret': 'is required: without it no call could be proven' });
const second = conflict('App already installed', { app_slug: 'tabby-pos-paylinks', id: shapes.EXAMPLE_INSTALL_ID });
const ownerOnly = ownerRequired(['api_base_url', 'access_token']);
const moved = unprocessable({ 'settings.access_token': movedSecret('https://api.salla.dev') });
const missing = installNotFound(shapes.EXAMPLE_INSTALL_ID);

export type AppTools = {
  rules: SettingRules;
  publicUrl: string | undefined;
  /** Whether an app can be told of a status. */
  canPush(slug: string): boolean;
  listeners: readonly InstallListener[];
};

function isOwner(request: FastifyRequest): boolean {
  return principalOf(request).membership?.role === 'owner';
}

export function appRoutes(http: Http, { sql, clock, box, idempotentWrite }: Platform, tools: AppTools): void {
  const { rules, publicUrl, canPush, listeners } = tools;

  http.get(
    '/apps',
    {
      config: { access: tenant('read', 'Apps', { apiKey: true }) },
      schema: {
        tags,
        operationId: 'listApps',
        summary: 'Installed apps',
        description:
          'All of them, oldest first, secrets masked. An API key without grants opens this route and no other.',
        response: { 200: shapes.InstallList, ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'listAppCatalog',
        summary: 'Apps that can be installed',
        description:
          'With the JSON Schema of their settings, how their calls are proven, and how often each is installed.',
        response: { 200: shapes.Catalog, ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'installApp',
        summary: 'Install an app; its token is in this answer only',
        description: `The same app may be installed several times, but for those that let customers pay later: one of each. At most ${MAX_INSTALLS} in all. Settings with an address (\`api_base_url\`, \`notification_url\`) or a secret need the role owner.`,
        takes: ['idempotency-key'],
        refuses: [badSetting, ownerOnly, second, conflict('Too many apps are installed', { limit: MAX_INSTALLS })],
        body: shapes.NewInstallBody,
        response: { 201: mutationEnvelopeOf(shapes.NewInstallShape), ...refusals },
      },
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
      schema: {
        tags,
        operationId: 'changeApp',
        summary: 'Enable, disable, or change settings',
        description:
          'A disabled install takes no calls (409) and keeps what it has received. Only owners set, change or remove addresses (`api_base_url`, `notification_url`) and secrets; all other settings need the grant alone.',
        refuses: [missing, badSetting, ownerOnly, moved, second],
        params: IdParams,
        body: shapes.InstallChangeBody,
        response: { 200: mutationEnvelopeOf(shapes.InstallShape), ...refusals },
      },
    },
    async (request) => {
      const { organizationId, actor } = tenantOf(request);
      const by = { actor, isOwner: isOwner(request) };
      await checkChange(request.body, rules, by.isOwner);
      const key = { organizationId, id: request.params.id };
      const install = await inTransaction(sql, (tx) => changeInstall(tx, box, key, request.body, by, clock.now()));
      return mutationEnvelope(clock, 'App changed', installShape(install));
    },
  );

  http.delete(
    '/apps/:id',
    {
      config: { access: changes('delete') },
      schema: {
        tags,
        operationId: 'removeApp',
        summary: 'Remove an install',
        description: 'Its orders stay. What it has received and not read yet is dropped.',
        refuses: [missing],
        params: IdParams,
        response: { 200: mutationEnvelopeOf(shapes.InstallShape), ...refusals },
      },
    },
    async (request) => {
      const { organizationId, actor } = tenantOf(request);
      const key = { organizationId, id: request.params.id };
      const install = await inTransaction(sql, (tx) => removeInstall(tx, box, key, actor, listeners, clock.now()));
      return mutationEnvelope(clock, 'App removed', installShape(install));
    },
  );
}
