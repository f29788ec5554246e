import { Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { OrderOwner } from '../ordering.ts';
import { refusalInShort } from '../refusals.ts';
import type { StatusInput } from '../schema.ts';
import { findOrders } from '../sql/find-orders.ts';
import { type Moving, moveOrder } from '../status/move-at-vendor.ts';

/** Of a whole bulk call; each install has a smaller limit of its own. */
const AT_THE_SAME_TIME = 32;

export type StatusMove = StatusInput & { id: string };

/**
 * Of a bulk call, the updates of orders that came from vendors: each as the single call does it, side by side, several of one
 * order one after the other. `done` are those that are over; the others are the caller's to write.
 */
export async function moveVendorOrders(
  moving: Moving,
  owner: OrderOwner,
  updates: ReadonlyMap<number, StatusMove>,
): Promise<{ done: ReadonlySet<number>; faults: ReadonlyMap<number, string> }> {
  const done = new Set<number>();
  const faults = new Map<number, string>();
  const wanted = [...updates].filter(([, { id }]) => isId(id));
  const byOrder = Map.groupBy(wanted, ([, { id }]) => id.toLowerCase());
  const found =
    byOrder.size === 0
      ? []
      : await findOrders(
          moving.ordering.sql,
          [...byOrder.keys()].map((id) => ({ organizationId: owner.organizationId, id })),
        );
  const waiting = found
    .filter(({ id, organization_app_id }) => {
      const movesStatus = byOrder.get(id)?.some(([, { order_status }]) => order_status !== undefined);
      return organization_app_id !== '' && movesStatus === true;
    })
    .values();
  async function moveInTurn(): Promise<void> {
    for (const { id } of waiting) {
      for (const [index, { id: _id, ...change }] of byOrder.get(id) ?? []) {
        try {
          await moveOrder(moving, owner, id, change);
          done.add(index);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          faults.set(index, refusalInShort(error));
        }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_THE_SAME_TIME, found.length) }, moveInTurn));
  return { done, faults };
}
