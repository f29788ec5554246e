import type { App } from '../../../platform/http/app.ts';
import { declaredFieldsOf } from '../../../platform/http/declared-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { advanceOrderDoc } from '../route-docs.ts';
import { StatusBody } from '../schema.ts';
import { type Moving, moveOrder } from './move-at-vendor.ts';

const declaredFields = declaredFieldsOf(StatusBody);

export function statusRoutes(app: App, { clock }: Platform, moving: Moving): void {
  app.patch(
    '/orders/:id/status',
    { config: { access: tenant('update', 'Orders') }, schema: advanceOrderDoc },
    async (request) => {
      const owner = tenantOf(request);
      const { order, forwarded } = await moveOrder(moving, owner, request.params.id, declaredFields(request.body));
      const timestamp = clock.now().toISOString();
      const data = {
        id: order.id,
        updated: { order_status: order.order_status, timestamp },
        ...(forwarded === undefined ? {} : { forwarded_to: forwarded.to }),
        ...(forwarded?.note === undefined ? {} : { not_forwarded: forwarded.note }),
      };
      const forwardedTo = forwarded?.to ? { forwarded_to: forwarded.to } : {};
      return { success: true, message: 'Order status updated', timestamp, data, ...forwardedTo };
    },
  );
}
