import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import {
  listEnvelope,
  listEnvelopeOf,
  mutationEnvelope,
  mutationEnvelopeOf,
  ProblemSchema,
} from '../../platform/http/envelopes.ts';
import { offsetOf, PageQuery, readPaging } from '../../platform/http/paging.ts';
import { badRequest, conflict, Problem, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { PROVIDERS } from '../../providers/list.ts';
import { listInstalls } from '../apps/index.ts';
import { linkBaseOf, tenant, tenantOf } from '../identity/index.ts';
import { cancelPaylink } from './cancel-paylink.ts';
import { capturePaylink } from './capture-paylink.ts';
import { createPaylink } from './create-paylink.ts';
import { getPaylinkProvider } from './find-provider.ts';
import { MAX_PAYLINKS_OF_ORDER } from './make-paylink.ts';
import { onceFor } from './once.ts';
import type { Paying } from './paying.ts';
import { PAYLINK_STATUSES, type Paylink, paylinkShape } from './paylink.ts';
import {
  appNotInstalled,
  beyondAmount,
  branchNeedsOrder,
  noPaylinks,
  orderSettled,
  paylinkNotFound,
  providerNotFound,
  underWay,
  wrongState,
} from './refusals.ts';
import * as shapes from './schema.ts';
import { findPaylink, listPaylinks } from './sql/paylinks.ts';

const tags = ['Payments'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const providerId = Type.String({ description: "The provider's id", examples: ['tabby'] });
const ProviderParams = Type.Object({ id: providerId });
const PaylinkParams = Type.Object({
  id: providerId,
  paylinkId: Type.String({ description: "The paylink's id", examples: [shapes.EXAMPLE_PAYLINK_ID] }),
});
const appSlug = 'tabby-pos-paylinks';
const refused = new Problem(502, 'Vendor refused', {
  app_slug: appSlug,
  vendor_status: 400,
  message: 'Payment is not authorized',
});
const unavailable = new Problem(502, 'Vendor unavailable', { app_slug: appSlug, message: 'timeout' });
const unknownProvider = [providerNotFound('paypal'), noPaylinks('moyasar')];
const missing = paylinkNotFound(shapes.EXAMPLE_PAYLINK_ID);
const inState = (status: Paylink['status'], wanted: string) =>
  wrongState({ id: shapes.EXAMPLE_PAYLINK_ID, status }, wanted);

export function paylinkRoutes(
  app: App,
  { idempotentWrite }: Platform,
  paying: Paying,
  publicUrl: string | undefined,
): void {
  const { sql, box, clock } = paying;

  app.get(
    '/providers',
    {
      config: { access: tenant('read', 'Payments') },
      schema: {
        tags,
        operationId: 'listProviders',
        summary: 'Payment providers',
        description: 'All that there are, with whether their apps are installed and enabled here.',
        response: { 200: shapes.ProviderList, ...refusals },
      },
    },
    async (request) => {
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
    },
  );

  app.post(
    '/providers/:id/paylinks',
    {
      config: { access: tenant('create', 'Payments') },
      schema: {
        tags,
        operationId: 'createPaylink',
        summary: 'A page on which a customer agrees to pay an order, or an amount',
        description: `The provider is asked while the call waits. An order has at most ${MAX_PAYLINKS_OF_ORDER} of them. An account confined to one branch makes them for orders of its branch alone. Where the provider gives no answer nothing is made, and the call may be repeated.`,
        takes: ['idempotency-key'],
        refuses: [
          ...unknownProvider,
          unprocessable({ order_id: 'does not exist' }),
          branchNeedsOrder(),
          appNotInstalled(appSlug),
          orderSettled(shapes.EXAMPLE_PAYMENT_ORDER_ID, 'paid'),
          conflict('Credentials missing', { app_slug: appSlug, setting: 'access_token' }),
          refused,
          unavailable,
        ],
        params: ProviderParams,
        body: shapes.PaylinkBody,
        response: { 201: mutationEnvelopeOf(shapes.PaylinkShape), ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      return createPaylink(paying, owner, request.params.id, request.body, {
        baseUrl: linkBaseOf(request as FastifyRequest, publicUrl),
        actor: owner.actor,
        once: onceOf(request as FastifyRequest, reply as never, 201, 'Paylink created'),
      });
    },
  );

  app.get(
    '/providers/:id/paylinks',
    {
      config: { access: tenant('read', 'Payments') },
      schema: {
        tags,
        operationId: 'listPaylinks',
        summary: "A provider's paylinks",
        description: 'Newest first. An account confined to one branch sees those of the orders of that branch.',
        refuses: [...unknownProvider, badRequest({ status: `must be one of ${PAYLINK_STATUSES.join(', ')}` })],
        params: ProviderParams,
        querystring: Type.Object({
          ...PageQuery,
          order_id: Type.Optional(Type.String({ maxLength: 100, description: 'Of this order only' })),
          status: Type.Optional(Type.Enum([...PAYLINK_STATUSES], { description: 'In this state only' })),
        }),
        response: { 200: listEnvelopeOf(shapes.PaylinkShape), ...refusals },
      },
    },
    async (request) => {
      const { organizationId, branchId } = tenantOf(request);
      const provider = getPaylinkProvider(request.params.id);
      const { order_id, status } = request.query;
      const paging = readPaging(request.query);
      if (order_id !== undefined && !isId(order_id)) return listEnvelope([], 0, paging);
      const filter = { organizationId, branchId, provider: provider.id, orderId: order_id, status };
      const { rows, total } = await listPaylinks(sql, filter, { limit: paging.limit, offset: offsetOf(paging) });
      return listEnvelope(rows.map(paylinkShape), total, paging);
    },
  );

  app.get(
    '/providers/:id/paylinks/:paylinkId',
    {
      config: { access: tenant('read', 'Payments') },
      schema: {
        tags,
        operationId: 'getPaylink',
        summary: 'One paylink',
        description: 'As it is known here; the provider is not asked.',
        refuses: [...unknownProvider, missing],
        params: PaylinkParams,
        response: { 200: shapes.PaylinkShape, ...refusals },
      },
    },
    async (request) => paylinkShape(await getOwn(request as FastifyRequest)),
  );

  app.post(
    '/providers/:id/paylinks/:paylinkId/capture',
    {
      config: { access: tenant('update', 'Payments') },
      schema: {
        tags,
        operationId: 'capturePaylink',
        summary: 'Take the money, or a part of it',
        description:
          'All that is left, unless `amount` says less. A repeat is a repeat only under the same Idempotency-Key, but that of a full capture finds nothing left and answers 200 with the same row. Whoever comes while another is at it waits. Once all is captured the order counts as paid.',
        takes: ['idempotency-key'],
        refuses: [
          ...unknownProvider,
          missing,
          beyondAmount('10.00'),
          inState('cancelled', 'capture'),
          underWay(shapes.EXAMPLE_PAYLINK_ID),
          refused,
          unavailable,
        ],
        params: PaylinkParams,
        body: Type.Optional(Type.Union([shapes.CaptureBody, Type.Null()], { examples: [{ amount: 27.5 }] })),
        response: { 200: mutationEnvelopeOf(shapes.PaylinkShape), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, branchId, actor } = tenantOf(request);
      const { id } = await getOwn(request as FastifyRequest);
      const asked = { amount: request.body?.amount ?? undefined, actor };
      const once = onceOf(request as FastifyRequest, reply as never, 200, 'Paylink captured');
      return capturePaylink(paying, { organizationId, id }, branchId, asked, once);
    },
  );

  app.post(
    '/providers/:id/paylinks/:paylinkId/cancel',
    {
      config: { access: tenant('update', 'Payments') },
      schema: {
        tags,
        operationId: 'cancelPaylink',
        summary: 'Give up what was not captured',
        description:
          'Cancelling again answers 200 with the same row. What was captured stays captured: it can only be refunded, at the provider.',
        takes: ['idempotency-key'],
        refuses: [
          ...unknownProvider,
          missing,
          inState('captured', 'cancel'),
          underWay(shapes.EXAMPLE_PAYLINK_ID),
          refused,
          unavailable,
        ],
        params: PaylinkParams,
        response: { 200: mutationEnvelopeOf(shapes.PaylinkShape), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, branchId, actor } = tenantOf(request);
      const { id } = await getOwn(request as FastifyRequest);
      const once = onceOf(request as FastifyRequest, reply as never, 200, 'Paylink cancelled');
      return cancelPaylink(paying, { organizationId, id }, branchId, actor, once);
    },
  );

  /** Under its own provider alone, and not while it is being made. */
  async function getOwn(request: FastifyRequest): Promise<Paylink> {
    const { organizationId, branchId } = tenantOf(request);
    const { id, paylinkId } = request.params as { id: string; paylinkId: string };
    const provider = getPaylinkProvider(id);
    const row = isId(paylinkId) ? await findPaylink(sql, { organizationId, id: paylinkId }, branchId) : undefined;
    if (row === undefined || !row.is_made || row.provider !== provider.id) throw paylinkNotFound(paylinkId);
    return row;
  }

  function onceOf(request: FastifyRequest, reply: FastifyReply, status: number, message: string) {
    const { scope } = tenantOf(request);
    return onceFor<Paylink>(paying, idempotentWrite, { request, reply, scope }, (row) => ({
      status,
      body: mutationEnvelope(clock, message, paylinkShape(row)),
    }));
  }
}
