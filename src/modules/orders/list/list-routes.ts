import type { FastifyReply } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { serializeAsIs } from '../../../platform/http/serialization.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { canonicalEnvelope, canonicalListForm } from '../canonical/canonical-order.ts';
import { orderListForm, orderSnapshot } from '../payload.ts';
import type { ResponseLimiter } from '../response-limiter.ts';
import { getOrderDoc, listOrdersDoc } from '../route-docs.ts';
import { answerList } from './list-answer.ts';
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

/** A schema of two formats would be tried one after the other for every answer. Both are complete as they are. */
const serializerCompiler = serializeAsIs;

export function listRoutes(app: App, { sql, clock, log }: Platform, largeResponses: ResponseLimiter): void {
  const readOrder = createReadOrder(sql);

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
      const isCanonical = query.format === 'canonical';
      const raw = isCanonical && query.include === 'raw';
      const columns = raw ? 'order-and-raw' : 'order';
      const filter = await resolveState(sql, readFilter(owner, query), query.state, clock.now());
      const page = await findOrderPage(sql, filter, readOrderSort(query), readWindow(query), columns);
      const form = isCanonical
        ? canonicalListForm(owner.organizationId, page.pages, { raw })
        : orderListForm(clock, owner.organizationId, page.pages);
      const answer = reply as unknown as FastifyReply;
      return answerList({ sql, log, largeResponses }, answer, owner, page, form, pieceOf(columns)) as never;
    },
  );

  app.get(
    '/orders/:id',
    { config: { access: tenant('read', 'Orders') }, schema: getOrderDoc, serializerCompiler },
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
}
