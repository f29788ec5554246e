import { Type } from 'typebox';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { versionConflict } from '../../platform/http/preconditions.ts';
import { Problem, tooLarge, unprocessable } from '../../platform/http/problem.ts';
import { vendorRefused, vendorUnavailable } from '../apps/index.ts';
import { QueuedAnswer } from '../jobs/index.ts';
import * as answers from './answer-schema.ts';
import { orderId, replaced } from './examples.ts';
import {
  duplicateTransaction,
  invalidTransition,
  orderBusy,
  orderNotFound,
  orderTooLarge,
  paymentStatusConflict,
} from './refusals.ts';
import * as shapes from './schema.ts';

/** Schemas and documentation of the order routes; the handlers are with their use cases (`*-routes.ts`). */
const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({ id: Type.String({ description: "The order's id", examples: [orderId] }) });
const delivered = { order_status: 'DELIVERED', last_known_status: null } as const;
const destinationUnknown = unprocessable({ destination: 'does not exist' });
const tooManyOrders = tooLarge({ orders: 'at most 100 a request' });

export const listOrdersDoc = {
  tags,
  operationId: 'listOrders',
  summary: 'List the orders of all channels, newest first',
  description:
    'Totals are exact, and page 1 takes the same time for any length of history. An invalid page or limit falls back to its default; any other invalid filter is 400. A page above 512 kB is streamed. An account confined to one branch sees the orders of that branch.',
  querystring: shapes.ListQuery,
  response: { 200: answers.ListAnswer, ...refusals },
};

export const getOrderDoc = {
  tags,
  operationId: 'getOrder',
  summary: 'One order as a snapshot event, or in canonical form',
  description: 'The default format has the stored statuses. format=canonical has the normalised statuses beside them.',
  refuses: [orderNotFound(orderId)],
  answersEtag: true,
  params: IdParams,
  querystring: shapes.OneQuery,
  response: { 200: answers.OneAnswer, ...refusals },
};

export const createOrderDoc = {
  tags,
  operationId: 'createOrder',
  summary: 'Place an order. X-Async: true queues it',
  description:
    'A source_transaction_id is unique within its source. Defaults: source api, payment_status pending, currency SAR, amounts 0. `destination` is the id of a branch. An order has at most 256 kB as JSON and 1,000 lines.',
  takes: ['idempotency-key' as const, 'x-async' as const],
  refuses: [
    destinationUnknown,
    orderTooLarge(),
    duplicateTransaction('web-70021'),
    new Problem(429, 'Too many queued jobs', { limit: 1_000, retry_after_seconds: 10 }, { 'retry-after': '10' }),
  ],
  body: shapes.OrderBody,
  response: { 201: answers.CreatedAnswer, 202: QueuedAnswer, ...refusals },
};

export const replaceOrderDoc = {
  tags,
  operationId: 'replaceOrder',
  summary: 'Replace an order. Absent fields return to their defaults',
  description:
    'Send every field that is to stay. The status follows the same transitions as PATCH; the source cannot change. A payment_status that only channels use (`paid`, `cancelled`) is accepted when the order already has it. A payment_status that contradicts a stronger source is 409; when it is absent, the order keeps what a stronger source reported. The write makes one event, of the most specific type that fits.',
  refuses: [
    destinationUnknown,
    invalidTransition(delivered, 'RECEIVED'),
    paymentStatusConflict('paid', 'gateway'),
    orderNotFound(orderId),
    duplicateTransaction('web-70021'),
    orderBusy(orderId),
    versionConflict(replaced.data, new Date(replaced.data.updated_at)),
  ],
  takes: ['if-match' as const],
  answersEtag: true,
  params: IdParams,
  body: shapes.ReplacementBody,
  response: { 200: answers.ReplacedAnswer, ...refusals },
};

export const advanceOrderDoc = {
  tags,
  operationId: 'advanceOrder',
  summary: 'Change the status of an order',
  description:
    'Forward only: received, ready_for_pickup, dispatched, delivered. Steps may be skipped. cancelled is possible from any status before delivered. delivered and cancelled are final. Sending the stored value again changes nothing and makes no event. The status of an order of a vendor with a status API is sent to the vendor first: `forwarded_to` is the app, or null when the vendor has no call for this status. When the vendor rejects it or does not answer, the response is 502 and nothing is stored. A payment_status that contradicts a stronger source (gateway, provider, vendor, till) or that would leave refunded is 409 and nothing is stored.',
  refuses: [
    invalidTransition(delivered, 'RECEIVED'),
    paymentStatusConflict('paid', 'gateway'),
    orderNotFound(orderId),
    orderBusy(orderId),
    vendorRefused('salla', 422, 'The status is not allowed for this order'),
    vendorUnavailable('salla', 'timeout'),
  ],
  params: IdParams,
  body: shapes.StatusBody,
  response: { 200: answers.StatusAnswer, ...refusals },
};

export const createOrdersDoc = {
  tags,
  operationId: 'createOrders',
  summary: 'Place up to 100 orders',
  description:
    'The response is 200 even when every item fails. `errors` are keyed by source_transaction_id, or #<index> where it is absent. The items that succeed are written in one transaction.',
  takes: ['idempotency-key' as const],
  refuses: [tooManyOrders],
  body: shapes.BulkCreateBody,
  response: { 200: answers.BulkAnswer, ...refusals },
};

export const advanceOrdersDoc = {
  tags,
  operationId: 'advanceOrders',
  summary: 'Change the status of up to 100 orders',
  description: 'Each item follows the rules of the single call. `errors` are keyed by order id.',
  refuses: [tooManyOrders],
  body: shapes.BulkStatusBody,
  response: { 200: answers.BulkAnswer, ...refusals },
};

export const deleteOrdersDoc = {
  tags,
  operationId: 'deleteOrders',
  summary: 'Delete up to 100 orders',
  description: 'Each deleted order makes an order.deleted event. `errors` are keyed by order id.',
  refuses: [tooManyOrders],
  body: shapes.BulkDeleteBody,
  response: { 200: answers.BulkAnswer, ...refusals },
};
