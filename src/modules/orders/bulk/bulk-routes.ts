import { notifyAfterCommit } from '../../../platform/background/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../../platform/http/body-limits.ts';
import { itemFaultsOf } from '../../../platform/http/unknown-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { advanceOrdersDoc, createOrdersDoc, deleteOrdersDoc } from '../route-docs.ts';
import { BulkCreateNames, BulkStatusNames } from '../schema.ts';
import type { Moving } from '../status/move-at-vendor.ts';
import { advanceOrders, bulkAnswer, deleteOrders, placeBatch, prepareBatch, refuseTooMany } from './bulk-orders.ts';

export function bulkRoutes(app: App, { clock, idempotentWrite }: Platform, moving: Moving): void {
  const { ordering } = moving;

  app.post(
    '/orders/bulk',
    {
      bodyLimit: BODY_LIMIT_BYTES.bulk,
      config: { access: tenant('create', 'Orders'), bodyNames: BulkCreateNames, bulk: { list: 'orders' } },
      schema: createOrdersDoc,
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const items = Array.isArray(request.body) ? request.body : request.body.orders;
      refuseTooMany(items);
      const batch = await prepareBatch(ordering, owner, items, itemFaultsOf(request));
      return notifyAfterCommit(ordering.outbox, () =>
        idempotentWrite(request, reply, owner.scope, async (tx) => ({
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
        bodyNames: BulkStatusNames,
        bulk: { list: 'updates', key: 'id' },
      },
      schema: advanceOrdersDoc,
    },
    async (request) => {
      refuseTooMany(request.body.updates);
      const owner = tenantOf(request);
      const outcome = await advanceOrders(moving, owner, request.body.updates, itemFaultsOf(request));
      return bulkAnswer(clock, outcome);
    },
  );

  app.delete(
    '/orders/bulk',
    { config: { access: tenant('delete', 'Orders') }, schema: deleteOrdersDoc },
    async (request) => {
      const items = Array.isArray(request.body) ? request.body : request.body.order_ids;
      refuseTooMany(items);
      return bulkAnswer(clock, await deleteOrders(ordering, tenantOf(request), items));
    },
  );
}
