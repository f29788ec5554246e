import { createRouter } from '@tanstack/react-router';
import { appRoute, appsRoute, newAppRoute, stagedRoute, stagingRoute } from '../features/apps/route.ts';
import { branchesRoute, branchRoute } from '../features/branches/route.ts';
import { catalogRoutes } from '../features/catalog/route.ts';
import { customerRoute, customersRoute } from '../features/customers/route.ts';
import { forecastRoute, forecastsRoute } from '../features/forecasts/route.ts';
import { homeRoute } from '../features/home/route.ts';
import { operatorRoutes } from '../features/operator/route.ts';
import { editOrderRoute, newOrderRoute, orderRoute, ordersRoute } from '../features/orders/route.ts';
import { paymentsRoute } from '../features/payments/route.ts';
import { settingsRoute, settingsRoutes } from '../features/settings/route.ts';
import { inviteRoute, resetPasswordRoute, signInRoute } from '../features/sign-in/route.ts';
import { tillRoute } from '../features/till/route.ts';
import { eventCatalogRoute, webhookRoute, webhooksRoute } from '../features/webhooks/route.ts';
import { welcomeRoute } from '../features/welcome/route.ts';
import { insideRoute, parseSearch, rootRoute, stringifySearch } from '../platform/index.ts';
import { Frame } from './frame.tsx';
import { FailedPage, MissingPage, PendingPage } from './page-states.tsx';
import { Root } from './root.tsx';

rootRoute.update({ component: Root });
insideRoute.update({ component: Frame });

const routeTree = rootRoute.addChildren([
  welcomeRoute,
  signInRoute,
  inviteRoute,
  resetPasswordRoute,
  insideRoute.addChildren([
    homeRoute,
    ordersRoute,
    newOrderRoute,
    orderRoute,
    editOrderRoute,
    tillRoute,
    customersRoute,
    customerRoute,
    ...catalogRoutes,
    branchesRoute,
    branchRoute,
    appsRoute,
    newAppRoute,
    appRoute,
    stagingRoute,
    stagedRoute,
    paymentsRoute,
    webhooksRoute,
    eventCatalogRoute,
    webhookRoute,
    forecastsRoute,
    forecastRoute,
    settingsRoute.addChildren(settingsRoutes),
    operatorRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  // The script of a page is fetched when the pointer or focus reaches its link.
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Not by address, as the router does for the first page: positions are stored, and an address may hold a customer's name.
  getScrollRestorationKey: ({ state }) => state.__TSR_key ?? '',
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
  defaultPendingComponent: PendingPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
