import { useState } from 'react';
import { readStored, useOrganization, useSession, writeStored } from '../../platform/index.ts';
import type { OrdersSearch } from './order-search.ts';

export type SavedView = { name: string; search: OrdersSearch };
const AT_MOST = 20;

/** By account and organization: two users of one computer do not see each other's. */
export function useSavedViews() {
  const session = useSession();
  const user = session.phase === 'in' ? session.account.user.id : '';
  const name = `orders.views.${user}.${useOrganization().id}`;
  const [views, setViews] = useState<readonly SavedView[]>(() => {
    const text = readStored(name);
    return text === null ? [] : (JSON.parse(text) as SavedView[]);
  });
  function change(next: readonly SavedView[]): void {
    writeStored(name, next.length === 0 ? null : JSON.stringify(next));
    setViews(next);
  }
  return {
    views,
    /** An existing name gets the new filters. */
    save: (view: SavedView) => change([...views.filter((one) => one.name !== view.name), view].slice(-AT_MOST)),
    remove: (gone: string) => change(views.filter((one) => one.name !== gone)),
    restore: () => change(views),
  };
}

export function isSameView(one: OrdersSearch, other: OrdersSearch): boolean {
  const written = ({ page: _, ...search }: OrdersSearch) =>
    JSON.stringify(Object.entries(search).toSorted(([a], [b]) => a.localeCompare(b)));
  return written(one) === written(other);
}
