import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { notifyAfterCommit } from '../../platform/background/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { declaredFieldsOf } from '../../platform/http/declared-fields.ts';
import { mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { Problem, tooLarge, unprocessable } from '../../platform/http/problem.ts';
import { itemFaultsOf } from '../../platform/http/unknown-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { vendorRefused, vendorUnavailable } from '../apps/index.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { QueuedAnswer, queuedAnswer, type TrackedJobs } from '../jobs/index.ts';
import * as answers from './answer-schema.ts';
import { advanceOrders, bulkAnswer, deleteOrders, placeBatch, prepareBatch, refuseTooMany } from './bulk-orders.ts';
import { canonicalEnvelope, canonicalListForm } from './canonical.ts';
import { orderId } from './examples.ts';
import { answerList } from './list-answer.ts';
import { dropRepeatedWindow, findOrderPage, pieceOf, readFilter, readOrderSort, readWindow } from './list-orders.ts';
import { type Moving, moveOrder } from './move-at-vendor.ts';
import type { Ordering } from './ordering.ts';
import { orderListForm, orderPayload, orderSnapshot } from './payload.ts';
import { placeOrder, placePrepared } from './place-order.ts';
import { prepareOrder, refuseAtOnce } from './prepare-orders.ts';
import { createReadOrder, withRaw } from './read-order.ts';
import {
  duplicateTransaction,
  invalidTransition,
  orderBusy,
  orderNotFound,
  orderTooLarge,
  paymentStatusConflict,
} from './refusals.ts';
import { replaceOrder } from './replace-order.ts';
import type { ResponseLimiter } from './response-limiter.ts';
import * as shapes from './schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({ id: Type.String({ description: "The order's id", examples: [orderId] }) });
const delivered = { order_status: 'DELIVERED', last_known_status: null } as const;
const destinationUnknown = unprocessable({ destination: 'does not exist' });
const tooManyOrders = tooLarge({ orders: 'at most 100 a request' });
export const CREATE_ORDER_JOB = 'create-order';
const orderOf = declaredFieldsOf(shapes.OrderBody);
const statusOf = declaredFieldsOf(shapes.StatusBody);

export type OrderTools = {
  ordering: Ordering;
  trackedJobs: TrackedJobs;
  largeResponses: ResponseLimiter;
  moving: Moving;
};

export function orderRoutes(
  app: App,
  platform: Platform,
  { ordering, trackedJobs, largeResponses, moving }: OrderTools,
): void {
  const { sql, clock, log, idempotentWrite } = platform;
  const readOrder = createReadOrder(sql);

  app.get(
    '/orders',
    {
      config: { access: tenant('read', 'Orders') },
      preValidation: (request, _reply, done) => {
        dropRepeatedWindow(request.query);
        done();
      },
      schema: {
        tags,
        operationId: 'listOrders',
        summary: 'Orders of every channel, newest first',
        description:
          'Totals are exact and page 1 costs the same however long the history. page and limit fall back when they make no sense; every other filter that cannot be read is 400. A page above 512 kB is streamed. An account confined to one branch sees the orders of that branch.',
        querystring: shapes.ListQuery,
        response: { 200: answers.ListAnswer, ...refusals },
      },
      // The union of two formats would be tried one after the other on every answer; both are built in full here.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const { query } = request;
      const isCanonical = query.format === 'canonical';
      const raw = isCanonical && query.include === 'raw';
      const columns = raw ? 'order-and-raw' : 'order';
      const filter = readFilter(owner, query);
      const page = await findOrderPage(sql, filter, readOrderSort(query), readWindow(query), columns);
      const form = isCanonical
        ? canonicalListForm(owner.organizationId, page.pages, { raw })
        : orderListForm(clock, owner.organizationId, page.pages);
      return answerList(
        { sql, log, largeResponses },
        reply as unknown as FastifyReply,
        owner,
        page,
        form,
        pieceOf(columns),
      ) as never;
    },
  );

  app.get(
    '/orders/:id',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'getOrder',
        summary: 'One order as a snapshot event, or in canonical form',
        description: 'The default format has the stored words, format=canonical the normalised ones beside them.',
        refuses: [orderNotFound(orderId)],
        params: IdParams,
        querystring: shapes.OneQuery,
        response: { 200: answers.OneAnswer, ...refusals },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request) => {
      const owner = tenantOf(request);
      const order = await readOrder(owner, request.params.id);
      const { format, include } = request.query;
      if (format !== 'canonical') return orderSnapshot(order, clock.nowNanoseconds()) as never;
      const raw = include === 'raw';
      const [shown = order] = raw ? await withRaw(sql, owner.organizationId, [order]) : [order];
      return canonicalEnvelope(shown, { raw }) as never;
    },
  );

  app.post(
    '/orders',
    {
      bodyLimit: BODY_LIMIT_BYTES.order,
      config: { access: tenant('create', 'Orders') },
      schema: {
        tags,
        operationId: 'createOrder',
        summary: 'Place an order; with X-Async: true it is queued',
        description:
          'A source_transaction_id is unique within its source. Absent: source api, payment_status pending, currency SAR, amounts 0. `destination` is the id of a branch. An order has at most 256 kB as JSON and 1,000 lines.',
        takes: ['idempotency-key', 'x-async'],
        refuses: [
          destinationUnknown,
          orderTooLarge(),
          duplicateTransaction('web-70021'),
          new Problem(429, 'Too many queued jobs', { limit: 1_000, retry_after_seconds: 10 }, { 'retry-after': '10' }),
        ],
        body: shapes.OrderBody,
        response: { 201: answers.CreatedAnswer, 202: QueuedAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      if (request.headers['x-async'] === 'true') {
        refuseAtOnce(ordering, owner, request.body);
        return idempotentWrite(request, reply, owner.scope, async (tx) => {
          const { id } = await trackedJobs.start(tx, {
            organizationId: owner.organizationId,
            type: CREATE_ORDER_JOB,
            input: { order: orderOf(request.body), branchId: owner.branchId },
            total: 1,
            createdBy: owner.callerId,
            now: clock.now(),
          });
          return { status: 202, body: queuedAnswer(clock, id) };
        });
      }
      if (request.headers['idempotency-key'] !== undefined) {
        const prepared = await prepareOrder(ordering, owner, request.body);
        return notifyAfterCommit(ordering.outbox, () =>
          idempotentWrite(request, reply, owner.scope, async (tx) => {
            const order = await placePrepared(tx, ordering, prepared);
            return { status: 201, body: createdAnswer(order) };
          }),
        );
      }
      const order = await placeOrder(ordering, owner, request.body);
      return reply.code(201).send(createdAnswer(order));
    },
  );

  app.put(
    '/orders/:id',
    {
      bodyLimit: BODY_LIMIT_BYTES.order,
      config: { access: tenant('update', 'Orders') },
      schema: {
        tags,
        operationId: 'replaceOrder',
        summary: 'Replace an order; what is left out returns to its default',
        description:
          'Send all that is to stay. The status moves by the same rules as PATCH, the source stays what it was. A payment_status of a channel (`paid`, `cancelled`) may be sent back where the order has it; one that contradicts a stronger source is 409, and left out it keeps what a stronger source reported. One event, the most specific that fits.',
        refuses: [
          destinationUnknown,
          invalidTransition(delivered, 'RECEIVED'),
          paymentStatusConflict('paid', 'gateway'),
          orderNotFound(orderId),
          duplicateTransaction('web-70021'),
          orderBusy(orderId),
        ],
        params: IdParams,
        body: shapes.ReplacementBody,
        response: { 200: answers.ReplacedAnswer, ...refusals },
      },
    },
    async (request) => {
      const order = await replaceOrder(moving, tenantOf(request), request.params.id, request.body);
      return mutationEnvelope(clock, 'Order updated', orderPayload(order)) as never;
    },
  );

  app.patch(
    '/orders/:id/status',
    {
      config: { access: tenant('update', 'Orders') },
      schema: {
        tags,
        operationId: 'advanceOrder',
        summary: 'Move an order along',
        description:
          'Forward only: received, ready_for_pickup, dispatched, delivered, where steps may be skipped; cancelled from anywhere before delivered. delivered and cancelled are final. The same stored value again changes nothing and makes no event. An order that came from a vendor who takes statuses is moved there first: `forwarded_to` is the app, or null where the vendor has no call for this status; what the vendor refuses, or does not answer, is 502 and nothing is stored. A payment_status that contradicts what a stronger source (gateway, provider, vendor, till) reported, or that would leave refunded, is 409 and nothing is stored.',
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
      },
    },
    async (request) => {
      const owner = tenantOf(request);
      const { id } = request.params;
      const { order, forwarded } = await moveOrder(moving, owner, id, statusOf(request.body));
      const timestamp = clock.now().toISOString();
      const data = {
        id: order.id,
        updated: { order_status: order.order_status, timestamp },
        ...(forwarded === undefined ? {} : { forwarded_to: forwarded.to }),
        ...(forwarded?.note === undefined ? {} : { not_forwarded: forwarded.note }),
      };
      const told = forwarded?.to ? { forwarded_to: forwarded.to } : {};
      return { success: true, message: 'Order status updated', timestamp, data, ...told };
    },
  );

  app.post(
    '/orders/bulk',
    {
      bodyLimit: BODY_LIMIT_BYTES.bulk,
      config: {
        access: tenant('create', 'Orders'),
        bodyNames: shapes.BulkCreateNames,
        bulk: { list: 'orders' },
      },
      schema: {
        tags,
        operationId: 'createOrders',
        summary: 'Place up to 100 orders at once',
        description:
          'The answer is 200 even when all fail; `errors` are keyed by source_transaction_id, or #<index> where there is none. All that succeed are one transaction.',
        takes: ['idempotency-key'],
        refuses: [tooManyOrders],
        body: shapes.BulkCreateBody,
        response: { 200: answers.BulkAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const items = Array.isArray(request.body) ? request.body : request.body.orders;
      refuseTooMany(items);
      const batch = await prepareBatch(ordering, owner, items, itemFaultsOf(request));
      return notifyAfterCommit(ordering.outbox, () =>
        idempotentWrite(request, reply, owner.scope, async (tx) => ({
          status: 200,
          body: bulkAnswer(clock, await placeBatch(tx, ordering, batch)),
        })),
      );
    },
  );

  app.patch(
    '/orders/bulk/status',
    {
      config: {
        access: tenant('update', 'Orders'),
        bodyNames: shapes.BulkStatusNames,
        bulk: { list: 'updates', key: 'id' },
      },
      schema: {
        tags,
        operationId: 'advanceOrders',
        summary: 'Move up to 100 orders along',
        description: 'Each by the rules of the single call; `errors` are keyed by order id.',
        refuses: [tooManyOrders],
        body: shapes.BulkStatusBody,
        response: { 200: answers.BulkAnswer, ...refusals },
      },
    },
    async (request) => {
      refuseTooMany(request.body.updates);
      const owner = tenantOf(request);
      const outcome = await advanceOrders(moving, owner, request.body.updates, itemFaultsOf(request));
      return bulkAnswer(clock, outcome);
    },
  );

  app.delete(
    '/orders/bulk',
    {
      config: { access: tenant('delete', 'Orders') },
      schema: {
        tags,
        operationId: 'deleteOrders',
        summary: 'Delete up to 100 orders',
        description: 'Each that is there makes an order.deleted event; `errors` are keyed by order id.',
        refuses: [tooManyOrders],
        body: shapes.BulkDeleteBody,
        response: { 200: answers.BulkAnswer, ...refusals },
      },
    },
    async (request) => {
      const items = Array.isArray(request.body) ? request.body : request.body.order_ids;
      refuseTooMany(items);
      return bulkAnswer(clock, await deleteOrders(ordering, tenantOf(request), items));
    },
  );

  function createdAnswer(order: { id: string; order_code: string }) {
    return mutationEnvelope(clock, 'Order created', { id: order.id, order_number: order.order_code });
  }
}
