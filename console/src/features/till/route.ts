import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute } from '../../platform/index.ts';

export const tillRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/till',
  component: lazyRouteComponent(() => import('./till-page.tsx'), 'TillPage'),
});
