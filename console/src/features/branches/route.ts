import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import { type BranchesSearch, RADIUSES, STATUSES } from './branch-search.ts';

export const branchesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/branches',
  validateSearch: (search: Record<string, unknown>): BranchesSearch => {
    const near = textIn(search, 'near');
    return withoutAbsent({
      search: textIn(search, 'search')?.slice(0, 200),
      status: wordIn(search, 'status', STATUSES),
      open: wordIn(search, 'open', ['now'] as const),
      near: near !== undefined && /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?$/.test(near) ? near : undefined,
      km: RADIUSES.find((km) => km === Number(search.km)),
      page: pageIn(search),
    });
  },
  component: lazyRouteComponent(() => import('./branches-page.tsx'), 'BranchesPage'),
});

export const branchRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/branches/$ivId',
  component: lazyRouteComponent(() => import('./branch-page.tsx'), 'BranchPage'),
});
