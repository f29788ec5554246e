import { Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { OrderOwner } from '../ordering.ts';
import { refusalInShort } from '../refusals.ts';
import type { StatusInput } from '../schema.ts';
import { findOrders } from '../sql/find-orders.ts';
import { type Moving, moveOrder } from '../status/move-at-vendor.ts';

/** Concurrent pushes of one bulk call. Each install has a smaller limit of its own. */
const MAX_CONCURRENT = 32;

export type StatusMove = StatusInput & { id: string };

/**
 * The updates of vendors' orders in a bulk call: each as in the single call, concurrently, several updates of one order in
 * sequence. `done` are the indexes of finished updates; the caller writes the others.
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
  async function moveNext(): Promise<void> {
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
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, found.length) }, moveNext));
  return { done, faults };
}
