import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import { FILTER_STATUSES, type OrdersSearch, PAYMENTS, readAmount, SORTS, STATES } from './order-search.ts';

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
    const idIn = (name: string) => {
      const text = textIn(search, name);
      return text !== undefined && /^[0-9a-f-]{36}$/i.test(text) ? text : undefined;
    };
    return withoutAbsent({
      state: wordIn(search, 'state', STATES),
      status: wordIn(search, 'status', FILTER_STATUSES),
      search: textIn(search, 'search')?.slice(0, 200),
      source: textIn(search, 'source'),
      channel: textIn(search, 'channel')?.slice(0, 100),
      branch: idIn('branch'),
      payment: wordIn(search, 'payment', PAYMENTS),
      tag: textIn(search, 'tag')?.slice(0, 40),
      min: readAmount(textIn(search, 'min') ?? ''),
      max: readAmount(textIn(search, 'max') ?? ''),
      from: day('from'),
      to: day('to'),
      sort: wordIn(search, 'sort', SORTS),
      page: pageIn(search),
    });
  },
  component: lazyRouteComponent(() => import('./orders-page.tsx'), 'OrdersPage'),
});

export const newOrderRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/orders/new',
  component: lazyRouteComponent(() => import('./editor/new-order-page.tsx'), 'NewOrderPage'),
});

export const editOrderRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/orders/$id/edit',
  component: lazyRouteComponent(() => import('./editor/edit-order-page.tsx'), 'EditOrderPage'),
});

export const orderRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/orders/$id',
  component: lazyRouteComponent(() => import('./order-page.tsx'), 'OrderPage'),
});
