import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { mutationEnvelope } from '../../platform/http/envelopes.ts';
import { serializeAsIs } from '../../platform/http/serialization.ts';
import type { Platform } from '../../platform/platform.ts';
import { linkBaseOf, tenant, tenantOf } from '../identity/index.ts';
import { orderSnapshot } from '../orders/index.ts';
import { confirmPaymentOrder, getPaymentOrder } from './confirm-payment-order.ts';
import { type CreatedPaymentOrder, createPaymentOrder } from './create-payment-order.ts';
import { idempotentCallOf } from './idempotent-call.ts';
import type { PaymentContext } from './payment-context.ts';
import * as docs from './route-docs.ts';

export function paymentOrderRoutes(
  app: App,
  { idempotentWrite }: Platform,
  payments: PaymentContext,
  publicUrl: string | undefined,
): void {
  const { clock } = payments;

  app.post(
    '/payments/orders',
    {
      bodyLimit: BODY_LIMIT_BYTES.order,
      config: { access: tenant('create', 'Payments') },
      schema: docs.createPaymentOrderDoc,
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const idempotentCall = idempotentCallOf<CreatedPaymentOrder>(
        payments,
        idempotentWrite,
        { request: request as FastifyRequest, reply: reply as unknown as FastifyReply, scope: owner.scope },
        (created) => ({ status: 201, body: mutationEnvelope(clock, 'Payment order created', created) }),
      );
      return createPaymentOrder(payments, owner, request.body, {
        baseUrl: linkBaseOf(request as FastifyRequest, publicUrl),
        actor: owner.actor,
        idempotentCall,
      });
    },
  );

  app.get(
    '/payments/orders/:id',
    {
      config: { access: tenant('read', 'Payments') },
      schema: docs.getPaymentOrderDoc,
      serializerCompiler: serializeAsIs,
    },
    async (request) => {
      const { order } = await getPaymentOrder(payments, tenantOf(request), request.params.id);
      return orderSnapshot(order, clock.nowNanoseconds()) as never;
    },
  );

  app.post(
    '/payments/orders/:id/confirm',
    { config: { access: tenant('update', 'Payments') }, schema: docs.confirmPaymentOrderDoc },
    async (request) => {
      const owner = tenantOf(request);
      const confirmed = await confirmPaymentOrder(
        payments,
        owner,
        request.params.id,
        request.body.provider,
        owner.actor,
      );
      return mutationEnvelope(clock, 'Payment confirmed', confirmed);
    },
  );
}
