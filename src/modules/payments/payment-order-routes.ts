import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { mutationEnvelope, mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';
import { Problem, unprocessable } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { linkBaseOf, tenant, tenantOf } from '../identity/index.ts';
import { OrderSnapshot, orderNotFound, orderSnapshot } from '../orders/index.ts';
import { confirmPaymentOrder, getPaymentOrder } from './confirm-payment-order.ts';
import { createPaymentOrder, type MadePaymentOrder } from './create-payment-order.ts';
import { onceFor } from './once.ts';
import type { Paying } from './paying.ts';
import { appNotInstalled, notAuthorised } from './refusals.ts';
import * as shapes from './schema.ts';

const tags = ['Payments'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const IdParams = Type.Object({
  id: Type.String({ description: "The order's id", examples: [shapes.EXAMPLE_PAYMENT_ORDER_ID] }),
});
const appSlug = 'tabby-pos-paylinks';
const missing = orderNotFound(shapes.EXAMPLE_PAYMENT_ORDER_ID);
const unavailable = new Problem(502, 'Vendor unavailable', { app_slug: appSlug, message: 'timeout' });

export function paymentOrderRoutes(
  app: App,
  { idempotentWrite }: Platform,
  paying: Paying,
  publicUrl: string | undefined,
): void {
  const { clock } = paying;

  app.post(
    '/payments/orders',
    {
      bodyLimit: BODY_LIMIT_BYTES.order,
      config: { access: tenant('create', 'Payments') },
      schema: {
        tags,
        operationId: 'createPaymentOrder',
        summary: 'An order that is paid through a provider',
        description:
          'The first provider that makes payment links becomes the active one and is asked for a page; providers that make none are ignored. Where it gives no answer there is no order either, and the call may be repeated. `execute_endpoint` makes another page for the same order.',
        takes: ['idempotency-key'],
        refuses: [
          unprocessable({ providers: 'none of them makes payment links' }),
          appNotInstalled(appSlug),
          unavailable,
        ],
        body: shapes.PaymentOrderBody,
        response: { 201: mutationEnvelopeOf(shapes.PaymentOrderShape), ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const once = onceFor<MadePaymentOrder>(
        paying,
        idempotentWrite,
        { request: request as FastifyRequest, reply: reply as unknown as FastifyReply, scope: owner.scope },
        (made) => ({ status: 201, body: mutationEnvelope(clock, 'Payment order created', made) }),
      );
      return createPaymentOrder(paying, owner, request.body, {
        baseUrl: linkBaseOf(request as FastifyRequest, publicUrl),
        actor: owner.actor,
        once,
      });
    },
  );

  app.get(
    '/payments/orders/:id',
    {
      config: { access: tenant('read', 'Payments') },
      schema: {
        tags,
        operationId: 'getPaymentOrder',
        summary: 'The order of a payment, as a snapshot event',
        description: 'The same as GET /orders/{id}, for orders that were made here.',
        refuses: [missing],
        params: IdParams,
        response: { 200: OrderSnapshot, ...refusals },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request) => {
      const { order } = await getPaymentOrder(paying, tenantOf(request), request.params.id);
      return orderSnapshot(order, clock.nowNanoseconds()) as never;
    },
  );

  app.post(
    '/payments/orders/:id/confirm',
    {
      config: { access: tenant('update', 'Payments') },
      schema: {
        tags,
        operationId: 'confirmPaymentOrder',
        summary: 'Capture what the customer has agreed to',
        description:
          'The payment is read back from the provider, captured, and the order is confirmed and its payment completed. Confirming again gives the same answer.',
        refuses: [
          missing,
          unprocessable({ provider: 'must be one of tabby, tamara' }),
          notAuthorised(shapes.EXAMPLE_PAYMENT_ORDER_ID, 'tabby'),
          appNotInstalled(appSlug),
          unavailable,
        ],
        params: IdParams,
        body: shapes.ConfirmBody,
        response: { 200: mutationEnvelopeOf(shapes.ConfirmShape), ...refusals },
      },
    },
    async (request) => {
      const owner = tenantOf(request);
      const { id } = request.params;
      const confirmed = await confirmPaymentOrder(paying, owner, id, request.body.provider, owner.actor);
      return mutationEnvelope(clock, 'Payment confirmed', confirmed);
    },
  );
}
