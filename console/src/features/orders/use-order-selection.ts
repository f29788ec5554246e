import type { Schemas } from '@dukkan/sdk';
import { useState } from 'react';

type Order = Schemas['CanonicalOrder'];

export type OrderSelection = {
  orders: readonly Order[];
  has(id: string): boolean;
  toggle(order: Order): void;
  setAll(orders: readonly Order[], isOn: boolean): void;
  keepOnly(ids: ReadonlySet<string>): void;
};

/** Chosen rows, over several pages of the list. */
export function useOrderSelection(): OrderSelection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Order>>(new Map());
  function change(edit: (map: Map<string, Order>) => void): void {
    setChosen((before) => {
      const after = new Map(before);
      edit(after);
      return after;
    });
  }
  return {
    orders: [...chosen.values()],
    has: (id) => chosen.has(id),
    toggle: (order) => change((map) => void (map.delete(order.id) || map.set(order.id, order))),
    setAll: (orders, isOn) =>
      change((map) => {
        for (const order of orders) {
          if (isOn) map.set(order.id, order);
          else map.delete(order.id);
        }
      }),
    keepOnly: (ids) =>
      change((map) => {
        for (const id of [...map.keys()]) if (!ids.has(id)) map.delete(id);
      }),
  };
}
