import { createRouter } from '@tanstack/react-router';
import { homeRoute } from '../features/home/route.ts';
import { operatorRoutes } from '../features/operator/route.ts';
import { orderRoute, ordersRoute } from '../features/orders/route.ts';
import { inviteRoute, resetPasswordRoute, signInRoute } from '../features/sign-in/route.ts';
import { insideRoute, parseSearch, rootRoute, stringifySearch } from '../platform/index.ts';
import { Frame } from './frame.tsx';
import { FailedPage, MissingPage, PendingPage } from './page-states.tsx';
import { Root } from './root.tsx';

rootRoute.update({ component: Root });
insideRoute.update({ component: Frame });

const routeTree = rootRoute.addChildren([
  signInRoute,
  inviteRoute,
  resetPasswordRoute,
  insideRoute.addChildren([homeRoute, ordersRoute, orderRoute, operatorRoutes]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  // The script of a page is fetched when somebody is about to go there.
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
  defaultPendingComponent: PendingPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
