import { notifyAfterCommit } from '../../../platform/background/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../../platform/http/body-limits.ts';
import { declaredFieldsOf } from '../../../platform/http/declared-fields.ts';
import { mutationEnvelope } from '../../../platform/http/envelopes.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { queuedAnswer, type TrackedJobs } from '../../jobs/index.ts';
import type { Order } from '../order.ts';
import type { Ordering } from '../ordering.ts';
import { createOrderDoc } from '../route-docs.ts';
import { OrderBody } from '../schema.ts';
import { placeOrder, placePrepared } from './place-order.ts';
import { prepareOrder, refuseAtOnce } from './prepare-orders.ts';

export const CREATE_ORDER_JOB = 'create-order';

/** Jobs store only declared fields: a body may contain any others. */
const declaredFields = declaredFieldsOf(OrderBody);

export function placeRoutes(
  app: App,
  { clock, idempotentWrite }: Platform,
  ordering: Ordering,
  trackedJobs: TrackedJobs,
): void {
  const createdAnswer = (order: Order) =>
    mutationEnvelope(clock, 'Order created', { id: order.id, order_number: order.order_code });

  app.post(
    '/orders',
    { bodyLimit: BODY_LIMIT_BYTES.order, config: { access: tenant('create', 'Orders') }, schema: createOrderDoc },
    async (request, reply) => {
      const owner = tenantOf(request);
      if (isTrue(request.headers['x-async'])) {
        refuseAtOnce(ordering, owner, request.body);
        return idempotentWrite(request, reply, owner.scope, async (tx) => {
          const { id } = await trackedJobs.start(tx, {
            organizationId: owner.organizationId,
            type: CREATE_ORDER_JOB,
            input: { order: declaredFields(request.body), branchId: owner.branchId },
            total: 1,
            createdBy: owner.callerId,
            now: clock.now(),
          });
          return { status: 202, body: queuedAnswer(clock, id) };
        });
      }
      if (request.headers['idempotency-key'] !== undefined) {
        const prepared = await prepareOrder(ordering, owner, request.body);
        return notifyAfterCommit(ordering.outbox, () =>
          idempotentWrite(request, reply, owner.scope, async (tx) => {
            const order = await placePrepared(tx, ordering, prepared);
            return { status: 201, body: createdAnswer(order) };
          }),
        );
      }
      const order = await placeOrder(ordering, owner, request.body);
      return reply.code(201).send(createdAnswer(order));
    },
  );
}

/** Clients write booleans of headers as their language does: `True`, `TRUE`. */
function isTrue(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && header.toLowerCase() === 'true';
}
