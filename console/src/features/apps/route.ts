import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import { type AppSearch, STAGED_STATUSES, type StagingSearch } from './app-search.ts';

export const appsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/apps',
  component: lazyRouteComponent(() => import('./apps-page.tsx'), 'AppsPage'),
});

export const newAppRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/apps/new/$slug',
  component: lazyRouteComponent(() => import('./new-app-page.tsx'), 'NewAppPage'),
});

export const appRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/apps/$id',
  validateSearch: (search: Record<string, unknown>): AppSearch =>
    withoutAbsent({ field: textIn(search, 'field'), store: textIn(search, 'store') }),
  component: lazyRouteComponent(() => import('./app-page.tsx'), 'AppPage'),
});

export const stagingRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/staging',
  validateSearch: (search: Record<string, unknown>): StagingSearch =>
    withoutAbsent({
      status: wordIn(search, 'status', STAGED_STATUSES),
      app: textIn(search, 'app'),
      search: textIn(search, 'search')?.slice(0, 200),
      page: pageIn(search),
    }),
  component: lazyRouteComponent(() => import('./staging-page.tsx'), 'StagingPage'),
});

export const stagedRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/staging/$id',
  component: lazyRouteComponent(() => import('./staged-page.tsx'), 'StagedPage'),
});
