import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { ringAfter } from '../../platform/background/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { declaredFieldsOf } from '../../platform/http/declared-fields.ts';
import { mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { itemFaultsOf } from '../../platform/http/unknown-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { QueuedAnswer, queuedAnswer, type TrackedJobs } from '../jobs/index.ts';
import { advanceOrder } from './advance-order.ts';
import type { AnswerSlots } from './answer-slots.ts';
import { advanceOrders, bulkAnswer, deleteOrders, placeBatch, prepareBatch, refuseTooMany } from './bulk-orders.ts';
import { canonicalEnvelope, canonicalListForm } from './canonical.ts';
import { answerList } from './list-answer.ts';
import { findOrderPage, pieceOf, readFilter, readOrderSort, readWindow } from './list-orders.ts';
import type { Ordering } from './ordering.ts';
import { orderListForm, orderPayload, orderSnapshot } from './payload.ts';
import { placeOrder, placePrepared } from './place-order.ts';
import { prepareOrder, refuseAtOnce } from './prepare-orders.ts';
import { createReadOrder, withRaw } from './read-order.ts';
import { replaceOrder } from './replace-order.ts';
import * as shapes from './schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({ id: Type.String() });
export const CREATE_ORDER_JOB = 'create-order';
const orderOf = declaredFieldsOf(shapes.OrderBody);

export function orderRoutes(
  app: App,
  platform: Platform,
  ordering: Ordering,
  trackedJobs: TrackedJobs,
  largeAnswers: AnswerSlots,
): void {
  const { sql, clock, log, writeOnce } = platform;
  const readOrder = createReadOrder(sql);

  app.get(
    '/orders',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'listOrders',
        summary: 'Orders of every channel, newest first',
        querystring: shapes.ListQuery,
        response: { 200: shapes.ListAnswer, ...refusals },
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
        { sql, log, largeAnswers },
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
        params: IdParams,
        querystring: shapes.OneQuery,
        response: { 200: shapes.OneAnswer, ...refusals },
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
        body: shapes.OrderBody,
        response: { 201: shapes.CreatedAnswer, 202: QueuedAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      if (request.headers['x-async'] === 'true') {
        refuseAtOnce(ordering, owner, request.body);
        return writeOnce(request, reply, owner.scope, async (tx) => {
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
        return ringAfter(ordering.outbox, () =>
          writeOnce(request, reply, owner.scope, async (tx) => {
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
        params: IdParams,
        body: shapes.OrderBody,
        response: { 200: shapes.ReplacedAnswer, ...refusals },
      },
    },
    async (request) => {
      const order = await replaceOrder(ordering, tenantOf(request), request.params.id, request.body);
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
        params: IdParams,
        body: shapes.StatusBody,
        response: { 200: shapes.StatusAnswer, ...refusals },
      },
    },
    async (request) => {
      const order = await advanceOrder(ordering, tenantOf(request), request.params.id, request.body);
      const timestamp = clock.now().toISOString();
      const updated = { order_status: order.order_status, timestamp };
      return { success: true, message: 'Order status updated', timestamp, data: { id: order.id, updated } };
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
        body: shapes.BulkCreateBody,
        response: { 200: shapes.BulkAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const items = Array.isArray(request.body) ? request.body : request.body.orders;
      refuseTooMany(items);
      const batch = await prepareBatch(ordering, owner, items, itemFaultsOf(request));
      return ringAfter(ordering.outbox, () =>
        writeOnce(request, reply, owner.scope, async (tx) => ({
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
        body: shapes.BulkStatusBody,
        response: { 200: shapes.BulkAnswer, ...refusals },
      },
    },
    async (request) => {
      refuseTooMany(request.body.updates);
      const { updates } = request.body;
      return bulkAnswer(clock, await advanceOrders(ordering, tenantOf(request), updates, itemFaultsOf(request)));
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
        body: shapes.BulkDeleteBody,
        response: { 200: shapes.BulkAnswer, ...refusals },
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
