import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope } from '../../platform/http/envelopes.ts';
import { offsetOf, readPaging } from '../../platform/http/paging.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { PROVIDERS } from '../../providers/list.ts';
import { listInstalls } from '../apps/index.ts';
import { linkBaseOf, tenant, tenantOf } from '../identity/index.ts';
import { cancelPaylink } from './cancel-paylink.ts';
import { capturePaylink } from './capture-paylink.ts';
import { createPaylink } from './create-paylink.ts';
import { getPaylinkProvider } from './find-provider.ts';
import { idempotentCallOf } from './idempotent-call.ts';
import { type Paylink, paylinkShape } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import { paylinkNotFound } from './refusals.ts';
import * as docs from './route-docs.ts';
import { findPaylink, listPaylinks } from './sql/paylinks.ts';

export function paylinkRoutes(
  app: App,
  { idempotentWrite }: Platform,
  payments: PaymentContext,
  publicUrl: string | undefined,
): void {
  const { sql, box, clock } = payments;
  const read = { access: tenant('read', 'Payments') };
  const create = { access: tenant('create', 'Payments') };
  const update = { access: tenant('update', 'Payments') };

  app.get('/providers', { config: read, schema: docs.listProvidersDoc }, async (request) => {
    const installs = await listInstalls(sql, box, tenantOf(request).organizationId);
    const data = PROVIDERS.map(({ id, type, nameEn, nameAr, app: { slug } }) => {
      const own = installs.filter(({ app_slug }) => app_slug === slug);
      return {
        id,
        type,
        name_en: nameEn,
        name_ar: nameAr,
        app_slug: slug,
        installed: own.length > 0,
        enabled: own.some(({ enabled }) => enabled),
      };
    });
    return { data };
  });

  app.post('/providers/:id/paylinks', { config: create, schema: docs.createPaylinkDoc }, async (request, reply) => {
    const owner = tenantOf(request);
    return createPaylink(payments, owner, request.params.id, request.body, {
      baseUrl: linkBaseOf(request as FastifyRequest, publicUrl),
      actor: owner.actor,
      idempotentCall: idempotentCallFor(request as FastifyRequest, reply as never, 201, 'Paylink created'),
    });
  });

  app.get('/providers/:id/paylinks', { config: read, schema: docs.listPaylinksDoc }, async (request) => {
    const { organizationId, branchId } = tenantOf(request);
    const provider = getPaylinkProvider(request.params.id);
    const { order_id, status } = request.query;
    const paging = readPaging(request.query);
    if (order_id !== undefined && !isId(order_id)) return listEnvelope([], 0, paging);
    const filter = { organizationId, branchId, provider: provider.id, orderId: order_id, status };
    const { rows, total } = await listPaylinks(sql, filter, { limit: paging.limit, offset: offsetOf(paging) });
    return listEnvelope(rows.map(paylinkShape), total, paging);
  });

  app.get('/providers/:id/paylinks/:paylinkId', { config: read, schema: docs.getPaylinkDoc }, async (request) =>
    paylinkShape(await getOwn(request as FastifyRequest)),
  );

  app.post(
    '/providers/:id/paylinks/:paylinkId/capture',
    { config: update, schema: docs.capturePaylinkDoc },
    async (request, reply) => {
      const { organizationId, branchId, actor } = tenantOf(request);
      const { id } = await getOwn(request as FastifyRequest);
      const wanted = { amount: request.body?.amount ?? undefined, actor };
      const idempotentCall = idempotentCallFor(request as FastifyRequest, reply as never, 200, 'Paylink captured');
      return capturePaylink(payments, { organizationId, id }, branchId, wanted, idempotentCall);
    },
  );

  app.post(
    '/providers/:id/paylinks/:paylinkId/cancel',
    { config: update, schema: docs.cancelPaylinkDoc },
    async (request, reply) => {
      const { organizationId, branchId, actor } = tenantOf(request);
      const { id } = await getOwn(request as FastifyRequest);
      const idempotentCall = idempotentCallFor(request as FastifyRequest, reply as never, 200, 'Paylink cancelled');
      return cancelPaylink(payments, { organizationId, id }, branchId, actor, idempotentCall);
    },
  );

  /** A paylink is found under its own provider only. */
  async function getOwn(request: FastifyRequest): Promise<Paylink> {
    const { organizationId, branchId } = tenantOf(request);
    const { id, paylinkId } = request.params as { id: string; paylinkId: string };
    const provider = getPaylinkProvider(id);
    const row = isId(paylinkId) ? await findPaylink(sql, { organizationId, id: paylinkId }, branchId) : undefined;
    if (row === undefined || row.provider !== provider.id) throw paylinkNotFound(paylinkId);
    return row;
  }

  function idempotentCallFor(request: FastifyRequest, reply: FastifyReply, status: number, message: string) {
    const { scope } = tenantOf(request);
    return idempotentCallOf<Paylink>(payments, idempotentWrite, { request, reply, scope }, (row) => ({
      status,
      body: mutationEnvelope(clock, message, paylinkShape(row)),
    }));
  }
}
