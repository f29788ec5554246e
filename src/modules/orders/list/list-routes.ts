import type { FastifyReply } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { etagOf } from '../../../platform/http/preconditions.ts';
import { serializeAsIs } from '../../../platform/http/serialization.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { canonicalEnvelope, canonicalListForm } from '../canonical/canonical-order.ts';
import { orderListForm, orderSnapshot, type Pagination } from '../payload.ts';
import type { ResponseLimiter } from '../response-limiter.ts';
import { getOrderDoc, listOrdersDoc } from '../route-docs.ts';
import { addToCache, findCachedPage } from './find-cached-page.ts';
import { createFindSearchedPage } from './find-searched-page.ts';
import { sendList, sendOrders, streamList } from './list-answer.ts';
import {
  dropRepeatedWindow,
  findOrderPage,
  pieceOf,
  readFilter,
  readOrderSort,
  readWindow,
  resolveState,
} from './list-orders.ts';
import { createReadOrder, withRaw } from './read-order.ts';
import { createSerializedOrders, type ListFormat } from './serialized-orders.ts';

/** A schema of two formats would be tried one after the other for every answer. Both are complete as they are. */
const serializerCompiler = serializeAsIs;

export function listRoutes(app: App, { sql, clock, log }: Platform, largeResponses: ResponseLimiter): void {
  const readOrder = createReadOrder(sql);
  const findSearchedPage = createFindSearchedPage(sql);
  const cache = createSerializedOrders();

  app.get(
    '/orders',
    {
      config: { access: tenant('read', 'Orders') },
      schema: listOrdersDoc,
      preValidation: (request, _reply, done) => {
        dropRepeatedWindow(request.query);
        done();
      },
      serializerCompiler,
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const { query } = request;
      const answer = reply as unknown as FastifyReply;
      const isCanonical = query.format === 'canonical';
      const raw = isCanonical && query.include === 'raw';
      const filter = await resolveState(sql, readFilter(owner, query), query.state, clock.now());
      const [sort, window] = [readOrderSort(query), readWindow(query)];
      const formOf = (pages: Pagination) =>
        isCanonical
          ? canonicalListForm(owner.organizationId, pages, { raw })
          : orderListForm(clock, owner.organizationId, pages);
      const format: ListFormat = isCanonical ? 'canonical' : 'stored';
      const cached = raw ? undefined : await findCachedPage(sql, cache, filter, sort, window, format);
      if (cached !== undefined) return sendList(answer, formOf(cached.pages), cached.orders) as never;

      const of = pieceOf(raw ? 'order-and-raw' : 'order');
      const searched = raw ? undefined : await findSearchedPage(filter, sort, window);
      if (searched?.unread.length === 0) return sendOrders(answer, formOf(searched.pages), searched.orders) as never;
      const { orders, unread, pages } = await findOrderPage(sql, filter, sort, window, of);
      const form = formOf(pages);
      if (unread.length > 0) {
        const ids = [...orders.map((order) => order.id), ...unread];
        const pieces = { ids, of, rowsPerRead: orders.length };
        return streamList({ sql, log, largeResponses }, answer, owner, form, pieces) as never;
      }
      // Clients poll the first page; those that walk through the others read each once.
      if (raw || window.page > 1) return sendOrders(answer, form, orders) as never;
      return sendList(answer, form, addToCache(cache, owner.organizationId, format, orders)) as never;
    },
  );

  app.get(
    '/orders/:id',
    { config: { access: tenant('read', 'Orders') }, schema: getOrderDoc, serializerCompiler },
    async (request, reply) => {
      const owner = tenantOf(request);
      const order = await readOrder(owner, request.params.id);
      reply.header('etag', etagOf(order.updated_at));
      const { format, include } = request.query;
      if (format !== 'canonical') return orderSnapshot(order, clock.nowNanoseconds()) as never;
      const raw = include === 'raw';
      const [shown = order] = raw ? await withRaw(sql, owner.organizationId, [order]) : [order];
      return canonicalEnvelope(shown, { raw }) as never;
    },
  );
}
