import { Type } from 'typebox';
import { mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';
import { preconditionFailed } from '../../platform/http/preconditions.ts';
import { conflict, unprocessable } from '../../platform/http/problem.ts';
import { installNotFound, MAX_INSTALLS, movedSecret, ownerRequired } from './manage-installs.ts';
import { ownerNeeded } from './rotate-ingest-token.ts';
import * as shapes from './schema.ts';
import { noConnectionTest } from './test-connection.ts';

const tags = ['Apps'];
const problems = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({
  id: Type.String({ description: "The install's id", examples: [shapes.EXAMPLE_INSTALL_ID] }),
});
const badSetting = unprocessable({ 'settings.webhook_secret': 'is required: without it no call could be verified' });
const second = conflict('App already installed', { app_slug: 'tabby-pos-paylinks', id: shapes.EXAMPLE_INSTALL_ID });
const ownerOnly = ownerRequired(['api_base_url', 'access_token']);
const moved = unprocessable({ 'settings.access_token': movedSecret('https://api.salla.dev') });
const missing = installNotFound(shapes.EXAMPLE_INSTALL_ID);

export const listAppsDoc = {
  tags,
  operationId: 'listApps',
  summary: 'List installed apps',
  description: 'Oldest first, secrets masked. The only route that an API key without grants can call.',
  response: { 200: shapes.InstallList, ...problems },
};

export const listAppCatalogDoc = {
  tags,
  operationId: 'listAppCatalog',
  summary: 'List apps that can be installed',
  description: 'With the JSON Schema of their settings, how their calls are verified, and how often each is installed.',
  response: { 200: shapes.Catalog, ...problems },
};

export const installAppDoc = {
  tags,
  operationId: 'installApp',
  summary: 'Install an app',
  description: `The response is the only one that contains \`ingest_token\`. An app can be installed several times, except BNPL providers: one of each. At most ${MAX_INSTALLS} installs in all. Settings with an address (\`api_base_url\`, \`notification_url\`) or a secret need the role owner.`,
  takes: ['idempotency-key'] as const,
  refuses: [badSetting, ownerOnly, second, conflict('Too many apps are installed', { limit: MAX_INSTALLS })],
  body: shapes.NewInstallBody,
  response: { 201: mutationEnvelopeOf(shapes.NewInstallShape), ...problems },
};

export const changeAppDoc = {
  tags,
  operationId: 'changeApp',
  summary: 'Enable or disable an install, or change its settings',
  description:
    'A disabled install rejects calls (409) and keeps the payloads it has received. Only owners set, change or remove addresses (`api_base_url`, `notification_url`) and secrets; all other settings need only the grant.',
  takes: ['if-match'] as const,
  answersEtag: true,
  refuses: [missing, badSetting, ownerOnly, moved, second, preconditionFailed(shapes.exampleRow)],
  params: IdParams,
  body: shapes.InstallChangeBody,
  response: { 200: mutationEnvelopeOf(shapes.InstallShape), ...problems },
};

export const testConnectionDoc = {
  tags,
  operationId: 'testAppConnection',
  summary: "Call the vendor with the install's address and credentials",
  description:
    'Makes the cheapest authenticated read that the vendor has, within ten seconds, and changes nothing. Returns 200 also when the vendor refuses or does not respond: see `ok`. Returns 409 for apps without such a call.',
  refuses: [missing, noConnectionTest('generic')],
  params: IdParams,
  response: { 200: shapes.ConnectionResult, ...problems },
};

export const rotateIngestTokenDoc = {
  tags,
  operationId: 'rotateIngestToken',
  summary: 'Replace the ingest token of an install; the new one is shown once',
  description:
    'The old token stops at once: set the new one at the vendor right after. Vendors that sign their calls do not need it. Needs the role owner.',
  takes: ['idempotency-key'] as const,
  refuses: [missing, ownerNeeded()],
  params: IdParams,
  response: { 200: mutationEnvelopeOf(shapes.NewIngestToken), ...problems },
};

export const removeAppDoc = {
  tags,
  operationId: 'removeApp',
  summary: 'Remove an install',
  description: 'Its orders stay. Payloads that are not processed yet are deleted.',
  refuses: [missing],
  params: IdParams,
  response: { 200: mutationEnvelopeOf(shapes.InstallShape), ...problems },
};
