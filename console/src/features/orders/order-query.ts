import { dayBounds } from './day-bounds.ts';
import { type OrdersSearch, PER_PAGE } from './order-search.ts';

/** What the list asks for. */
export function queryOf(search: OrdersSearch, timeZone: string) {
  return {
    format: 'canonical',
    page: search.page ?? 1,
    limit: PER_PAGE,
    ...filtersOf(search, timeZone),
  } as const;
}

export function filtersOf(filters: OrdersSearch, timeZone: string) {
  const { state, status, search, source, channel, branch, payment, tag, min, max, from, to, sort } = filters;
  return {
    ...(state && { state }),
    ...(status && { status }),
    ...(search && { search }),
    ...(source && { source }),
    ...(channel && { channel }),
    ...(branch && { branch_id: branch }),
    ...(payment && { payment }),
    ...(tag && { tag }),
    ...(min !== undefined && { min_amount: min }),
    ...(max !== undefined && { max_amount: max }),
    ...(sort && { sort }),
    // Days in the organization's time zone, both included.
    ...(from && { from: dayBounds(from, timeZone).first.toISOString() }),
    ...(to && { to: dayBounds(to, timeZone).last.toISOString() }),
  };
}
