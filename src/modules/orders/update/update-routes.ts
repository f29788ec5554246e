import type { App } from '../../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../../platform/http/body-limits.ts';
import { mutationEnvelope } from '../../../platform/http/envelopes.ts';
import { etagOf } from '../../../platform/http/preconditions.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { orderPayload } from '../payload.ts';
import { replaceOrderDoc } from '../route-docs.ts';
import type { Moving } from '../status/move-at-vendor.ts';
import { replaceOrder } from './replace-order.ts';

export function updateRoutes(app: App, { clock }: Platform, moving: Moving): void {
  app.put(
    '/orders/:id',
    { bodyLimit: BODY_LIMIT_BYTES.order, config: { access: tenant('update', 'Orders') }, schema: replaceOrderDoc },
    async (request, reply) => {
      const ifMatch = request.headers['if-match'];
      const order = await replaceOrder(moving, tenantOf(request), request.params.id, request.body, ifMatch);
      reply.header('etag', etagOf(order.updated_at));
      return mutationEnvelope(clock, 'Order updated', orderPayload(order)) as never;
    },
  );
}
