import { notifyAfterCommit } from '../../../platform/background/index.ts';
import { inTransaction, isConflictOn } from '../../../platform/database/index.ts';
import { isMatch, updatedAfter, versionConflict } from '../../../platform/http/preconditions.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Order } from '../order.ts';
import { changedFields } from '../order-change.ts';
import { lastKnownAfter, mayMove } from '../order-status.ts';
import type { OrderOwner } from '../ordering.ts';
import { orderPayload } from '../payload.ts';
import { withPaymentFact } from '../payment-state.ts';
import { replaceableFields } from '../place/build-order.ts';
import { getReady } from '../place/place-order.ts';
import { prepareOrder, refuseTooLarge } from '../place/prepare-orders.ts';
import { duplicateTransaction, invalidTransition, orderNotFound } from '../refusals.ts';
import { type OrderInput, PAYMENT_STATUSES } from '../schema.ts';
import { lockOrders } from '../sql/change-orders.ts';
import { paymentAfter } from '../status/advance-order.ts';
import { type Moving, refuseWhilePushed, whileFree } from '../status/move-at-vendor.ts';
import { saveChanges } from './save-changes.ts';

/**
 * Absent fields return to their defaults. Id, code, origin and creation time stay. `ifMatch` is the version that the client has read: 412
 * when the order has changed since.
 */
export async function replaceOrder(
  moving: Moving,
  owner: OrderOwner,
  id: string,
  input: OrderInput,
  ifMatch?: string,
): Promise<Order> {
  if (!isId(id)) throw orderNotFound(id);
  const { ordering } = moving;
  const prepared = await prepareOrder(ordering, owner, input);
  const { sql, clock, outbox } = ordering;
  const write = () =>
    notifyAfterCommit(outbox, () =>
      inTransaction(sql, async (tx) => {
        const [before] = await lockOrders(tx, owner.organizationId, [id], owner.branchId);
        if (before === undefined) throw orderNotFound(id);
        if (!isMatch(ifMatch, before.updated_at)) throw versionConflict(orderPayload(before), before.updated_at);
        // After the look-up: an unknown order is 404, whatever its branch.
        const { destination_id, store_name } = getReady(prepared).order;
        const branch = { destinationId: destination_id, storeName: store_name };
        if (!mayMove(before, input.order_status)) {
          throw invalidTransition(before, input.order_status);
        }
        refuseChannelPaymentStatus(before, input);
        if (before.organization_app_id !== '' && before.order_status !== input.order_status)
          await refuseWhilePushed(tx, before);
        const payment = paymentAfter(before, input.payment_status);
        if (payment instanceof Error) throw payment;
        const after = {
          ...before,
          ...replaceableFields(input, branch),
          // When absent, it returns to its default unless a stronger source reported something else.
          ...(input.payment_status == null
            ? withPaymentFact(before, { source: 'person', status: 'pending' })
            : payment),
          last_known_status: lastKnownAfter(before, input.order_status),
          updated_at: updatedAfter(before.updated_at, clock.now()),
        };
        refuseTooLarge(after);
        await saveChanges(tx, ordering, [{ before, after }]);
        // An unchanged order keeps its version.
        return changedFields(before, after).length === 0 ? { ...after, updated_at: before.updated_at } : after;
      }),
    );
  try {
    return await whileFree(moving, id, write);
  } catch (error) {
    if (isConflictOn(error, 'orders_source_transaction')) {
      throw duplicateTransaction(input.source_transaction_id ?? null);
    }
    throw error;
  }
}

/** A payment status that only channels use may be sent back unchanged, but not chosen by a client. */
function refuseChannelPaymentStatus(before: Order, { payment_status }: OrderInput): void {
  const isAllowed = payment_status == null || PAYMENT_STATUSES.some((status) => status === payment_status);
  if (isAllowed || payment_status === before.payment_status) return;
  throw unprocessable({ payment_status: `must be one of ${PAYMENT_STATUSES.join(', ')}` });
}
