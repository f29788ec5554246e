import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, wordIn } from '../../platform/index.ts';
import { FILTER_STATUSES, type FilterStatus, SORTS, type Sort } from './order-search.ts';

/** All that the list shows is in its address: it can be sent to a colleague, kept, and gone back to. */
export type OrdersSearch = {
  status?: FilterStatus;
  search?: string;
  source?: string;
  from?: string;
  to?: string;
  sort?: Sort;
  page?: number;
};

export const ordersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/orders',
  validateSearch: (search: Record<string, unknown>): OrdersSearch => {
    const day = (name: string) => {
      const text = textIn(search, name);
      return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
        ? text
        : undefined;
    };
    const read = {
      status: wordIn(search, 'status', FILTER_STATUSES),
      search: textIn(search, 'search')?.slice(0, 200),
      source: textIn(search, 'source'),
      from: day('from'),
      to: day('to'),
      sort: wordIn(search, 'sort', SORTS),
      page: pageIn(search),
    };
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  },
  component: lazyRouteComponent(() => import('./orders-page.tsx'), 'OrdersPage'),
});

export const orderRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/orders/$id',
  component: lazyRouteComponent(() => import('./order-page.tsx'), 'OrderPage'),
});
