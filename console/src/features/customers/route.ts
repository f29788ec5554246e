import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import { type CustomersSearch, SORTS } from './customer-search.ts';

export const customersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/customers',
  validateSearch: (search: Record<string, unknown>): CustomersSearch => {
    return withoutAbsent({
      search: textIn(search, 'search')?.slice(0, 200),
      sort: wordIn(search, 'sort', SORTS),
      page: pageIn(search),
    });
  },
  component: lazyRouteComponent(() => import('./customers-page.tsx'), 'CustomersPage'),
});

export const customerRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/customers/$id',
  component: lazyRouteComponent(() => import('./customer-page.tsx'), 'CustomerPage'),
});
