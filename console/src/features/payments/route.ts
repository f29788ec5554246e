import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import { PAYLINK_STATUSES, type PaymentSearch, TRANSACTION_STATUSES, VIEWS } from './payment-search.ts';

export const paymentsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/payments',
  validateSearch: (search: Record<string, unknown>): PaymentSearch => {
    return withoutAbsent({
      view: wordIn(search, 'view', VIEWS),
      provider: textIn(search, 'provider'),
      status: wordIn(search, 'status', [...PAYLINK_STATUSES, ...TRANSACTION_STATUSES]),
      unmatched: wordIn(search, 'unmatched', ['yes']),
      open: textIn(search, 'open'),
      page: pageIn(search),
    });
  },
  component: lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
});
