import { Type } from 'typebox';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { preconditionFailed } from '../../platform/http/preconditions.ts';
import { conflict, Problem, unprocessable } from '../../platform/http/problem.ts';
import { QueuedAnswer } from '../jobs/index.ts';
import { deliveryNotFound, subscriptionNotFound } from './manage-subscriptions.ts';
import * as shapes from './schema.ts';
import { MAX_SUBSCRIPTIONS } from './subscription.ts';

const tags = ['Webhooks'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const badUrl = unprocessable({ url: 'must start with https:// and a host' });
const badTypes = unprocessable({ event_types: 'unknown: order.craeted' });
const missing = subscriptionNotFound(shapes.exampleId);

export const listWebhookSubscriptions = {
  tags,
  operationId: 'listWebhookSubscriptions',
  summary: 'List subscriptions and the event types of filters',
  description: 'Returns all subscriptions, without secrets.',
  response: { 200: shapes.SubscriptionList, ...refusals },
};

export const createWebhookSubscription = {
  tags,
  operationId: 'createWebhookSubscription',
  summary: 'Create a subscription; the secret is in this response only',
  description:
    'The address must be https and public. A host name that does not resolve yet is accepted and checked again before every delivery. The subscription receives events of changes written after its creation. At most 20 per organization.',
  takes: ['idempotency-key' as const],
  refuses: [badUrl, badTypes, conflict('Too many webhook subscriptions', { limit: MAX_SUBSCRIPTIONS })],
  body: shapes.NewSubscriptionBody,
  response: { 201: shapes.SubscriptionWithSecret, ...refusals },
};

export const getWebhookSubscription = {
  tags,
  operationId: 'getWebhookSubscription',
  summary: 'Get a subscription',
  description: 'Includes its health: last_success_at, last_failure_at, and the reason why it was disabled.',
  refuses: [missing],
  answersEtag: true,
  params: shapes.SubscriptionParams,
  response: { 200: shapes.SubscriptionShape, ...refusals },
};

export const changeWebhookSubscription = {
  tags,
  operationId: 'changeWebhookSubscription',
  summary: 'Change address, description, filter or status',
  description:
    'Absent fields stay unchanged. `paused` holds events until the subscription is active again. `active` ends `disabled` and resets the health. Use the recover route for deliveries that were skipped while it was disabled.',
  takes: ['if-match' as const],
  answersEtag: true,
  refuses: [badUrl, badTypes, missing, preconditionFailed(shapes.subscriptionExample)],
  params: shapes.SubscriptionParams,
  body: shapes.SubscriptionChange,
  response: { 200: shapes.SubscriptionShape, ...refusals },
};

export const deleteWebhookSubscription = {
  tags,
  operationId: 'deleteWebhookSubscription',
  summary: 'Delete a subscription and its log',
  description: 'Takes effect at once; a long log is removed in the background.',
  refuses: [missing],
  params: shapes.SubscriptionParams,
  response: { 204: Type.Null(), ...refusals },
};

export const rotateWebhookSecret = {
  tags,
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret; deliveries carry both signatures for a day',
  description: 'The new secret is in this response only. A second rotation within the day ends the first secret.',
  takes: ['idempotency-key' as const],
  refuses: [missing],
  params: shapes.SubscriptionParams,
  response: { 200: shapes.SubscriptionWithSecret, ...refusals },
};

export const testWebhookSubscription = {
  tags,
  operationId: 'testWebhookSubscription',
  summary: 'Send a webhook.test event',
  description: 'Sent whatever the filter and the status are, signed and retried like a real event.',
  takes: ['idempotency-key' as const],
  refuses: [missing],
  params: shapes.SubscriptionParams,
  response: { 202: shapes.DeliveryShape, ...refusals },
};

export const listWebhookDeliveries = {
  tags,
  operationId: 'listWebhookDeliveries',
  summary: 'List deliveries, newest first',
  description: 'Covers the last 30 days. Each delivery has its attempts with an excerpt of the response.',
  refuses: [missing],
  params: shapes.SubscriptionParams,
  querystring: shapes.DeliveryQuery,
  response: { 200: shapes.DeliveryList, ...refusals },
};

export const getWebhookDelivery = {
  tags,
  operationId: 'getWebhookDelivery',
  summary: 'Get a delivery with its payload',
  description:
    'Returns the log entry, the headers of every attempt, and the body as it was or will be sent. ' +
    '`payload` is null when the event is past its retention. Secrets and signatures are not included.',
  refuses: [missing, deliveryNotFound(shapes.exampleId)],
  params: shapes.DeliveryParams,
  response: { 200: shapes.DeliveryWithPayload, ...refusals },
};

export const replayWebhookDelivery = {
  tags,
  operationId: 'replayWebhookDelivery',
  summary: 'Send a delivery again now, with the same id',
  description:
    'Makes one more attempt at once, whatever the status, with the same webhook-id and a new timestamp and signature.',
  takes: ['idempotency-key' as const],
  refuses: [missing, deliveryNotFound(shapes.exampleId)],
  params: shapes.DeliveryParams,
  response: { 202: shapes.DeliveryShape, ...refusals },
};

export const recoverWebhookDeliveries = {
  tags,
  operationId: 'recoverWebhookDeliveries',
  summary: 'Send skipped and dead deliveries again, as a job',
  description:
    'Sends deliveries created since the given time, oldest first, at most 30 days back. Activate a disabled subscription first.',
  takes: ['idempotency-key' as const],
  refuses: [
    missing,
    conflict('Webhook subscription is disabled', { id: shapes.exampleId }),
    new Problem(429, 'Too many queued jobs', { limit: 1_000, retry_after_seconds: 10 }, { 'retry-after': '10' }),
  ],
  params: shapes.SubscriptionParams,
  body: shapes.RecoverBody,
  response: { 202: QueuedAnswer, ...refusals },
};
