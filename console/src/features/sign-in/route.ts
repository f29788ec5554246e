import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute, textIn } from '../../platform/index.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = textIn(search, 'next');
    // Only back into the console: an address elsewhere would make this page a way to lead people astray.
    return next?.startsWith('/') === true && !next.startsWith('//') && !next.includes('\\') ? { next } : {};
  },
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

/** The links that `POST /members` and the command line hand out. */
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
