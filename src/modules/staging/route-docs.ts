import { Type } from 'typebox';
import { mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';
import { badRequest, conflict, tooLarge, tooManyRequests } from '../../platform/http/problem.ts';
import { EXAMPLE_INSTALL_ID, installNotFound } from '../apps/index.ts';
import { quotaReached } from './ingest-limits.ts';
import { notInstalled, stagedNotFound } from './manage-staged.ts';
import { notFailed, notJson } from './mend-payload.ts';
import { MAX_HEALTH_DAYS } from './read-health.ts';
import { invalidSignature, unknownAddress } from './receive-call.ts';
import * as shapes from './schema.ts';
import { STAGING_STATUSES } from './staged-payload.ts';

const tags = ['Staging'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({
  id: Type.String({
    description: 'The `staging_id` that the vendor received',
    examples: [shapes.EXAMPLE_STAGING_ID],
  }),
});
const missing = stagedNotFound(shapes.EXAMPLE_STAGING_ID);

export const listDocs = {
  tags,
  operationId: 'listStagedPayloads',
  summary: 'List received payloads',
  description:
    'Newest first; kept for 30 days. `search` matches ids and events by prefix, and messages anywhere in their text.',
  refuses: [badRequest({ status: 'must be one of pending, processed, failed' })],
  querystring: Type.Object({
    ...PageQuery,
    status: Type.Optional(Type.Enum([...STAGING_STATUSES], { description: 'Only payloads in this state' })),
    app_slug: Type.Optional(Type.String({ maxLength: 100, description: 'Only payloads of this app' })),
    organization_app_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only payloads of this install' })),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Ids, events, messages' })),
  }),
  response: { 200: shapes.StagedList, ...refusals },
};

export const getDocs = {
  tags,
  operationId: 'getStagedPayload',
  summary: 'Get a payload as it was received',
  description: "Includes the vendor's bytes and headers, without signatures and tokens.",
  refuses: [missing],
  params: IdParams,
  response: { 200: shapes.StagedWithPayload, ...refusals },
};

export const retryDocs = {
  tags,
  operationId: 'retryStagedPayload',
  summary: 'Process a payload again',
  description: 'Uses the current settings of the install, whatever the outcome was before.',
  refuses: [missing, notInstalled(EXAMPLE_INSTALL_ID)],
  params: IdParams,
  response: { 202: mutationEnvelopeOf(shapes.StagedShape), ...refusals },
};

export const mendDocs = {
  tags,
  operationId: 'mendStagedPayload',
  summary: 'Mend a failed payload',
  description:
    'Replaces the payload and keeps what the vendor sent for reading. Only a failed one (409 otherwise). Send a retry afterwards.',
  refuses: [missing, notFailed(shapes.EXAMPLE_STAGING_ID, 'processed'), notJson()],
  params: IdParams,
  body: shapes.MendedPayloadBody,
  response: { 200: mutationEnvelopeOf(shapes.StagedShape), ...refusals },
};

export const healthDocs = {
  tags: ['Apps'],
  operationId: 'readAppHealth',
  summary: 'Received, processed and failed payloads of an install, by day',
  description:
    "Oldest first, by the organization's calendar, days without a payload included. A payload counts on the day it was received. Payloads are kept for 30 days.",
  refuses: [installNotFound(EXAMPLE_INSTALL_ID)],
  params: Type.Object({ id: Type.String({ description: "The install's id", examples: [EXAMPLE_INSTALL_ID] }) }),
  querystring: Type.Object({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_HEALTH_DAYS,
        default: MAX_HEALTH_DAYS,
        description: 'How many days, today included',
      }),
    ),
  }),
  response: { 200: shapes.AppHealth, ...refusals },
};

export const deleteDocs = {
  tags,
  operationId: 'deleteStagedPayload',
  summary: 'Delete a payload',
  description:
    'An order that was created from it stays. The same delivery is accepted as a new one when the vendor sends it again.',
  refuses: [missing],
  params: IdParams,
  response: { 200: mutationEnvelopeOf(shapes.StagedShape), ...refusals },
};

export const ingestDocs = {
  tags,
  operationId: 'ingest',
  summary: "Receive a vendor's call to an install",
  description:
    "Authenticated by the vendor's signature over the raw bytes, or by the install's token (`X-Ingest-Token`, `?token=`). The call is stored and answered at once, and processed in the background. Any method and any path below the address is accepted. A repeated delivery gets the same `staging_id`. Vendors that require it get 200 instead of 202.",
  refuses: [
    invalidSignature({ slug: 'generic', inbound: { authentication: 'token', verify: () => false } }),
    unknownAddress(EXAMPLE_INSTALL_ID),
    conflict('App is disabled', { id: EXAMPLE_INSTALL_ID, app_slug: 'generic' }),
    tooLarge('The request body is too large'),
    tooManyRequests(120_000, 1_000),
    quotaReached(2_048, new Date('2026-11-15T10:00:00Z')),
  ],
  params: Type.Object({ id: Type.String({ description: "The install's id", examples: [EXAMPLE_INSTALL_ID] }) }),
  response: { 202: mutationEnvelopeOf(shapes.ReceivedData), ...refusals },
};
