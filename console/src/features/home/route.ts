import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, wordIn } from '../../platform/index.ts';
import { RANGES, type Range } from './ranges.ts';

export const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { range?: Range } => {
    const range = wordIn(search, 'range', RANGES);
    return range === undefined ? {} : { range };
  },
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});
