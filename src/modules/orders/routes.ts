import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import type { Platform } from '../../platform/platform.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { QueuedAnswer, queuedAnswer, type TrackedJobs } from '../jobs/index.ts';
import { advanceOrder } from './advance-order.ts';
import { advanceOrders, bulkAnswer, createOrders, deleteOrders, refuseTooMany } from './bulk-orders.ts';
import { canonicalEnvelope, canonicalListEnvelope } from './canonical.ts';
import { findOrderPage, readFilter, readOrderSort, readWindow } from './list-orders.ts';
import { orderListEnvelope, orderPayload, orderSnapshot } from './payload.ts';
import { type Ordering, placeOrder, placeOrderIn } from './place-order.ts';
import { createReadOrder, withRaw } from './read-order.ts';
import { replaceOrder } from './replace-order.ts';
import * as shapes from './schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({ id: Type.String() });
export const CREATE_ORDER_JOB = 'create-order';

export function orderRoutes(app: App, platform: Platform, ordering: Ordering, trackedJobs: TrackedJobs): void {
  const { sql, clock, writeOnce } = platform;
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
    async (request) => {
      const owner = tenantOf(request);
      const { query } = request;
      const { orders, pages } = await findOrderPage(
        sql,
        readFilter(owner, query),
        readOrderSort(query),
        readWindow(query),
      );
      if (query.format !== 'canonical') return orderListEnvelope(clock, owner.organizationId, orders, pages) as never;
      const raw = query.include === 'raw';
      const shown = raw ? await withRaw(sql, owner.organizationId, orders) : orders;
      return canonicalListEnvelope(owner.organizationId, shown, pages, { raw }) as never;
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
        return writeOnce(request, reply, owner.scope, async (tx) => {
          const { id } = await trackedJobs.start(tx, {
            organizationId: owner.organizationId,
            type: CREATE_ORDER_JOB,
            input: { order: request.body, branchId: owner.branchId },
            total: 1,
            createdBy: owner.userId ?? null,
            now: clock.now(),
          });
          return { status: 202, body: queuedAnswer(clock, id) };
        });
      }
      if (request.headers['idempotency-key'] !== undefined) {
        const sent = await writeOnce(request, reply, owner.scope, async (tx) => {
          const order = await placeOrderIn(tx, ordering, owner, request.body);
          return { status: 201, body: createdAnswer(order) };
        });
        ordering.outbox.ring();
        return sent;
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
      config: { access: tenant('create', 'Orders') },
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
      const sent = await writeOnce(request, reply, owner.scope, async (tx) => ({
        status: 200,
        body: bulkAnswer(clock, await createOrders(tx, ordering, owner, items)),
      }));
      ordering.outbox.ring();
      return sent;
    },
  );

  app.patch(
    '/orders/bulk/status',
    {
      config: { access: tenant('update', 'Orders') },
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
      return bulkAnswer(clock, await advanceOrders(ordering, tenantOf(request), request.body.updates));
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
