import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, wordIn } from '../../platform/index.ts';
import { type OperatorSearch, STATES } from './search.ts';

const TEXTS = [
  'search',
  'tab',
  'organization',
  'service',
  'partner',
  'action',
  'from',
  'to',
  'invite',
  'stage',
  'assignee',
] as const;

// Part of the first load of every page: one parser for all operator pages is the smallest.
function validateSearch(search: Record<string, unknown>): OperatorSearch {
  const read = [
    ...TEXTS.map((name) => [name, textIn(search, name)?.slice(0, 200)]),
    ['status', wordIn(search, 'status', STATES)],
    ['page', pageIn(search)],
  ];
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

const operatorRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/operator',
  component: lazyRouteComponent(() => import('./operator-guard.tsx'), 'OperatorGuard'),
});
const under = { getParentRoute: () => operatorRoute, validateSearch } as const;

const overview = createRoute({
  ...under,
  path: '/',
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});
const organizations = createRoute({
  ...under,
  path: '/organizations',
  component: lazyRouteComponent(() => import('./organizations/organizations-page.tsx'), 'OrganizationsPage'),
});
const organization = createRoute({
  ...under,
  path: '/organizations/$id',
  component: lazyRouteComponent(() => import('./organizations/organization-page.tsx'), 'OrganizationPage'),
});
const money = createRoute({
  ...under,
  path: '/money',
  component: lazyRouteComponent(() => import('./money/money-page.tsx'), 'MoneyPage'),
});
const partners = createRoute({
  ...under,
  path: '/partners',
  component: lazyRouteComponent(() => import('./partners/partners-page.tsx'), 'PartnersPage'),
});
const leads = createRoute({
  ...under,
  path: '/leads',
  component: lazyRouteComponent(() => import('./leads/leads-page.tsx'), 'LeadsPage'),
});
const announcements = createRoute({
  ...under,
  path: '/announcements',
  component: lazyRouteComponent(() => import('./announcements/announcements-page.tsx'), 'AnnouncementsPage'),
});
const system = createRoute({
  ...under,
  path: '/system',
  component: lazyRouteComponent(() => import('./system/system-page.tsx'), 'SystemPage'),
});

export const operatorRoutes = operatorRoute.addChildren([
  overview,
  organizations,
  organization,
  money,
  partners,
  leads,
  announcements,
  system,
]);
