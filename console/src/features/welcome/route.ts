import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../platform/index.ts';

/** For visitors without an account. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./welcome-page.tsx'), 'WelcomePage'),
});
