import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, wordIn } from '../../platform/index.ts';
import { PAYLINK_STATUSES, type PaymentSearch, TRANSACTION_STATUSES, VIEWS } from './payment-search.ts';

export const paymentsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/payments',
  validateSearch: (search: Record<string, unknown>): PaymentSearch => {
    const read = {
      view: wordIn(search, 'view', VIEWS),
      provider: textIn(search, 'provider'),
      status: wordIn(search, 'status', [...PAYLINK_STATUSES, ...TRANSACTION_STATUSES]),
      unmatched: wordIn(search, 'unmatched', ['yes']),
      open: textIn(search, 'open'),
      page: pageIn(search),
    };
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  },
  component: lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
});
