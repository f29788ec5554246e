import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent } from '../../platform/index.ts';
import { readAuditSearch } from './audit/audit-search.ts';

export const settingsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});
const getParentRoute = () => settingsRoute;

const validateSearch = (search: Record<string, unknown>) =>
  withoutAbsent<{ search?: string; page?: number }>({ search: textIn(search, 'search'), page: pageIn(search) });

const organizationRoute = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./organization/organization-page.tsx'), 'OrganizationPage'),
});
const teamRoute = createRoute({
  getParentRoute,
  path: '/team',
  validateSearch,
  component: lazyRouteComponent(() => import('./team/team-page.tsx'), 'TeamPage'),
});
const keysRoute = createRoute({
  getParentRoute,
  path: '/keys',
  validateSearch,
  component: lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'KeysPage'),
});
const tokensRoute = createRoute({
  getParentRoute,
  path: '/tokens',
  validateSearch,
  component: lazyRouteComponent(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
});
const securityRoute = createRoute({
  getParentRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('./security/security-page.tsx'), 'SecurityPage'),
});
const supportRoute = createRoute({
  getParentRoute,
  path: '/support',
  validateSearch: (search: Record<string, unknown>) =>
    withoutAbsent<{ request?: string; page?: number }>({ request: textIn(search, 'request'), page: pageIn(search) }),
  component: lazyRouteComponent(() => import('./support/support-page.tsx'), 'SupportPage'),
});
const auditRoute = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage'),
});
const billingRoute = createRoute({
  getParentRoute,
  path: '/billing',
  validateSearch: (search: Record<string, unknown>) =>
    withoutAbsent<{ checkout?: string }>({ checkout: textIn(search, 'checkout') }),
  component: lazyRouteComponent(() => import('./billing/billing-page.tsx'), 'BillingPage'),
});

export const settingsRoutes = [
  organizationRoute,
  teamRoute,
  keysRoute,
  tokensRoute,
  securityRoute,
  supportRoute,
  auditRoute,
  billingRoute,
] as const;
