import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import { type ForecastsSearch, RANGES, TABS } from './forecast-search.ts';

export const forecastsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/forecasts',
  validateSearch: (search: Record<string, unknown>): ForecastsSearch => {
    return withoutAbsent({
      tab: wordIn(search, 'tab', TABS),
      search: textIn(search, 'search')?.slice(0, 200),
      branch: textIn(search, 'branch')?.slice(0, 50),
      range: wordIn(search, 'range', RANGES),
      page: pageIn(search),
    });
  },
  component: lazyRouteComponent(() => import('./forecasts-page.tsx'), 'ForecastsPage'),
});

export const forecastRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/forecasts/$sku',
  component: lazyRouteComponent(() => import('./forecast-page.tsx'), 'ForecastPage'),
});
