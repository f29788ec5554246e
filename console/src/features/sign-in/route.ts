import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute, textIn } from '../../platform/index.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = textIn(search, 'next');
    // Only addresses of the console: others would make this page an open redirect.
    return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? { next } : {};
  },
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

/** The links created by `POST /members` and the CLI. */
export const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  component: lazyRouteComponent(() => import('./invite-page.tsx'), 'InvitePage'),
});

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
});
